package io.duplog.ingest.hec;

import io.duplog.config.ByteSize;
import io.duplog.config.Checks;
import io.duplog.config.Hosts;
import io.duplog.config.Key;
import io.duplog.tls.ServerTlsConfig;
import java.net.InetSocketAddress;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The configuration section {@code hec}, which clients of HTTP Event Collector use. */
public record HecSettings(
    @Key(doc = "Address and port that clients connect to.", defaultValue = "0.0.0.0:8088")
        String listen,
    @Key(
            doc =
                "Clients connect by https if this section is present. You may replace each file at"
                    + " any time, without a restart.",
            whereWanted = true)
        @Nullable ServerTlsConfig tls,
    @Key(doc = "Tokens that clients may use, at least one.") List<HecToken> tokens,
    @Key(
            doc =
                "Maximum size of a request's body, after decompression. A larger one is answered"
                    + " with 413. Its events with their metadata must not be larger than"
                    + " batch.max-unconfirmed.",
            defaultValue = "8MiB")
        ByteSize maxBody,
    @Key(
            doc =
                "Maximum memory for all requests until they are answered: three times their size."
                    + " Further requests are answered with 503. At least six times max-body.",
            defaultValue = "64MiB")
        ByteSize maxMemory,
    @Key(
            doc =
                "Maximum number of connections. Above three quarters of it, those that finish no"
                    + " request within 5 s are closed, and an address that has half of it gets no"
                    + " further one.",
            defaultValue = "4096",
            unit = "connections")
        int maxConnections) {

  private static final ByteSize LARGEST_BODY = new ByteSize(256 << 20);

  public HecSettings {
    address(listen);
    if (tokens.isEmpty()) {
      throw Checks.refuse("tokens", "must have at least one token");
    }
    Set<String> names = new HashSet<>();
    Set<String> values = new HashSet<>();
    for (HecToken token : tokens) {
      if (!names.add(token.name())) {
        throw Checks.refuse("tokens", "must have different names, has two of " + token.name());
      }
      if (!values.add(token.token().reveal())) {
        throw Checks.refuse("tokens", "must not have the token of " + token.name() + " twice");
      }
    }
    Checks.within("max-body", maxBody, new ByteSize(1 << 10), LARGEST_BODY);
    Checks.within(
        "max-memory",
        maxMemory,
        new ByteSize(RequestMemory.MIN_BODIES * maxBody.bytes()),
        new ByteSize(1L << 34));
    Checks.within("max-connections", maxConnections, 1, 100_000);
  }

  /** Returns the address to listen on; unresolved if the host name is unknown. */
  InetSocketAddress address() {
    return address(listen);
  }

  private static InetSocketAddress address(String listen) {
    return Hosts.listenAddress("listen", listen, "0.0.0.0:8088");
  }
}
