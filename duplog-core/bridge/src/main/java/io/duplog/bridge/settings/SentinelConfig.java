package io.duplog.bridge.settings;

import io.duplog.config.Checks;
import io.duplog.config.Key;
import io.duplog.config.Secret;
import io.duplog.dedup.redis.RedisSentinelSettings;
import io.duplog.dedup.redis.RedisSettings;
import io.duplog.tls.Tls;
import io.duplog.tls.TlsConfig;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The configuration section {@code dedup.redis.sentinel}. */
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
    Addresses.parse("addresses", addresses, DEFAULT_PORT, tls != null);
    Checks.notBlank("master", master);
    if (user != null && password == null) {
      throw Checks.refuse("password", "is missing; a user needs one");
    }
  }

  /** Converts the section to the settings of a Redis ledger. */
  RedisSentinelSettings settings() {
    return new RedisSentinelSettings(
        Addresses.parse("addresses", addresses, DEFAULT_PORT, tls != null),
        master,
        new RedisSettings.Login(
            user,
            password == null ? null : password.reveal(),
            tls == null ? null : Tls.ofClient("the sentinels of " + master, tls)));
  }
}
