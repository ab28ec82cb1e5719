package io.duplog.bridge;

import com.google.common.net.HostAndPort;
import io.duplog.config.Checks;
import io.duplog.config.Key;
import io.duplog.config.Secret;
import io.duplog.dedup.RedisSentinelSettings;
import io.duplog.tls.Tls;
import io.duplog.tls.TlsConfig;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The section {@code dedup.redis.sentinel}. */
record SentinelConfig(
    @Key(
            doc =
                "Every sentinel, as host:port; without a port it is 26379. All are asked, so any"
                    + " one may be away.",
            example = "syslog-a:26379, syslog-b:26379, redis:26379")
        List<String> addresses,
    @Key(doc = "What the sentinels call the master.", defaultValue = "duplog") String master,
    @Key(doc = "User at the sentinels, where they have users.", example = "duplog")
        @Nullable String user,
    @Key(doc = "Password at the sentinels.", example = "${file:/etc/duplog/redis.password}")
        @Nullable Secret password,
    @Key(
            doc =
                "The sentinels are spoken to in TLS where this section is there, if only as {}."
                    + " Every file may be replaced at any time.",
            whereWanted = true)
        @Nullable TlsConfig tls) {

  private static final int DEFAULT_PORT = 26_379;

  SentinelConfig {
    Checks.distinctNames("addresses", addresses);
    addresses.forEach(SentinelConfig::place);
    Checks.notBlank("master", master);
    if (user != null && password == null) {
      throw Checks.refuse("password", "is missing; a user needs one");
    }
  }

  private static HostAndPort place(String address) {
    try {
      HostAndPort place = HostAndPort.fromString(address).withDefaultPort(DEFAULT_PORT);
      Checks.port("addresses", place.getPort());
      if (!place.getHost().isBlank()) {
        return place;
      }
    } catch (IllegalArgumentException e) {
      // what it says is said below in the file's words
    }
    throw Checks.refuse("addresses", "must be host:port each, not '" + address + "'");
  }

  /** The same, for the ledger. */
  RedisSentinelSettings settings() {
    return new RedisSentinelSettings(
        addresses.stream().map(SentinelConfig::place).toList(),
        master,
        user,
        password == null ? null : password.reveal(),
        tls == null ? null : Tls.ofClient("the sentinels of " + master, tls));
  }
}
