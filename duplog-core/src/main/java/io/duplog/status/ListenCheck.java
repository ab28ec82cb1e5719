package io.duplog.status;

import io.duplog.tls.ServerTlsConfig;
import io.duplog.tls.TlsConfig;
import java.io.IOException;

/** Whether a bridge could serve its page, before it starts. */
public final class ListenCheck {
  private ListenCheck() {}

  /**
   * Listens for a moment.
   *
   * @param bridge a bridge of this name that answers there already is this one, and fine
   * @throws StatusException as {@link StatusServer#open} does
   */
  public static void run(StatusConfig config, String bridge) throws StatusException {
    StatusServer.tls(config);
    try {
      StatusServer.bind(config).close();
    } catch (StatusException e) {
      if (!answers(config, bridge)) {
        throw e;
      }
    } catch (IOException e) {
      throw new StatusException("status.listen can't be closed: " + e.getMessage(), e);
    }
  }

  private static boolean answers(StatusConfig config, String bridge) {
    ServerTlsConfig tls = config.tls();
    try {
      StateReader reader =
          tls == null
              ? new StateReader("http://" + config.listen(), new TlsConfig(null, null, null))
              : new StateReader(
                  "https://" + config.listen(),
                  new TlsConfig(tls.certificate(), tls.certificate(), tls.key()));
      return JsonValue.parse(reader.read()).at("bridge").at("name").text().equals(bridge);
    } catch (StatusException | IOException e) {
      return false; // somebody else
    }
  }
}
