package io.duplog.status;

import io.duplog.config.Checks;
import io.duplog.config.Hosts;
import io.duplog.config.Key;
import io.duplog.tls.ServerTlsConfig;
import java.net.InetSocketAddress;
import org.jspecify.annotations.Nullable;

/**
 * The configuration section {@code status}, which says where the status page listens and who may
 * read it.
 */
public record StatusConfig(
    @Key(
            doc =
                "Address and port of the status page, of /metrics for Prometheus, and of"
                    + " /health/live and /health/ready. There is no password. The page shows"
                    + " counts and states, and the start of two messages if streams differ, so"
                    + " consider who can reach the address. Empty turns the page off. Port 0"
                    + " takes any free port, which the log names.",
            defaultValue = "127.0.0.1:8514")
        String listen,
    @Key(
            doc =
                "Serves the page and all other paths by https. You may replace each file"
                    + " at any time, without a restart.",
            whereWanted = true)
        @Nullable ServerTlsConfig tls,
    @Key(
            doc =
                "Whether `duplog tap` may read messages on their way to the sink."
                    + " Everybody who can reach the page may then read them. If listen is not a"
                    + " loopback address, tls.client-ca is required.",
            defaultValue = "false")
        boolean tap) {

  public StatusConfig {
    if (!listen.isEmpty()) {
      address(listen);
      boolean certified = tls != null && tls.clientCa() != null;
      if (tap && !certified && !HostCheck.isLocal(address(listen))) {
        throw Checks.refuse(
            "tap",
            "must be false where other hosts reach the page without a certificate, since it shows"
                + " messages: let status.listen be 127.0.0.1:8514, or set status.tls.client-ca");
      }
    }
  }

  /** Whether the status page is turned off. */
  public boolean isOff() {
    return listen.isEmpty();
  }

  /** Returns the address to listen on; unresolved if the host name is unknown. */
  InetSocketAddress address() {
    return address(listen);
  }

  private static InetSocketAddress address(String listen) {
    return Hosts.listenAddress("listen", listen, "127.0.0.1:8514");
  }
}
