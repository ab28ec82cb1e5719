package io.duplog.tls;

import io.duplog.config.Checks;
import io.duplog.config.Key;
import org.jspecify.annotations.Nullable;

/**
 * The configuration section {@code tls} of a server, such as the status page: its certificate, and
 * the CAs of its clients.
 */
public record ServerTlsConfig(
    @Key(
            doc =
                "Absolute path of a PEM file with the server's certificate and its chain."
                    + " It must contain the names that clients use.",
            example = "/etc/duplog/tls/server.pem",
            unit = "path")
        String certificate,
    @Key(
            doc =
                "Absolute path of a PEM file with the private key of that certificate:"
                    + " PKCS#8, not encrypted.",
            example = "/etc/duplog/tls/server.key",
            unit = "path")
        String key,
    @Key(
            doc =
                "Absolute path of a PEM file with CAs. If set, only clients with a"
                    + " certificate of these CAs are answered.",
            example = "/etc/duplog/tls/client-ca.pem",
            unit = "path")
        @Nullable String clientCa) {

  public ServerTlsConfig {
    Checks.absolutePath("certificate", certificate);
    Checks.absolutePath("key", key);
    Checks.absolutePath("client-ca", clientCa);
  }

  /** Returns a client's section with the same files. */
  public TlsConfig files() {
    return new TlsConfig(clientCa, certificate, key);
  }
}
