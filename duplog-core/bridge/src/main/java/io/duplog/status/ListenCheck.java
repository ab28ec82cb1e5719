package io.duplog.status;

import io.duplog.observe.Json;
import io.duplog.tls.ServerTlsConfig;
import io.duplog.tls.ShownCertificate;
import io.duplog.tls.TlsConfig;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.channels.SocketChannel;

/** Checks, before a bridge starts, whether the bridge could open its status page. */
public final class ListenCheck {
  private ListenCheck() {}

  /**
   * Binds to the port for a moment.
   *
   * @param bridge name of this bridge; a bridge of that name may already answer at the port
   * @throws StatusException as {@link StatusServer#open} does
   */
  public static void run(StatusConfig config, String bridge) throws StatusException {
    StatusServer.tls(config);
    try {
      StatusServer.bind(config, ListenCheck::claim).close();
    } catch (StatusException e) {
      if (!answers(config, bridge)) {
        throw e;
      }
    } catch (IOException e) {
      throw new StatusException("status.listen can't be closed: " + e.getMessage(), e);
    }
  }

  /**
   * Binds to the address without listening. A bridge that starts at this moment can open the port
   * all the same, and a port at which somebody listens is refused.
   */
  static SocketChannel claim(InetSocketAddress address) throws IOException {
    SocketChannel claimed = SocketChannel.open();
    try {
      return claimed.setOption(StandardSocketOptions.SO_REUSEADDR, true).bind(address);
    } catch (IOException e) {
      claimed.close();
      throw e;
    }
  }

  private static boolean answers(StatusConfig config, String bridge) {
    ServerTlsConfig tls = config.tls();
    try {
      return tls == null
          ? nameAt("http://" + config.listen(), new TlsConfig(null, null, null)).equals(bridge)
          : answers(tls, config, bridge);
    } catch (StatusException | IOException e) {
      return false; // another program
    }
  }

  /**
   * Whether this bridge already answers by TLS. Asking may fail because the certificate need not be
   * valid for the listening address, nor as a client's; then the certificate shown decides.
   */
  private static boolean answers(ServerTlsConfig tls, StatusConfig config, String bridge)
      throws IOException {
    try {
      TlsConfig own = new TlsConfig(tls.certificate(), tls.certificate(), tls.key());
      return nameAt("https://" + config.listen(), own).equals(bridge);
    } catch (StatusException e) {
      return ShownCertificate.isOf(tls.certificate(), config.address());
    }
  }

  private static String nameAt(String url, TlsConfig trust) throws StatusException, IOException {
    State.Facts facts = Json.read(new StateReader(url, trust).read(), State.Facts.class);
    State.Bridge bridge = facts == null ? null : facts.bridge();
    return bridge == null ? "" : bridge.name();
  }
}
