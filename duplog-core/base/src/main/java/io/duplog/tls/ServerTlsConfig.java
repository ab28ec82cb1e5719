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
                "PEM file with the server's certificate, and its chain where there is one. The"
                    + " names in it are those that clients ask for.",
            example = "/etc/duplog/tls/server.pem",
            unit = "path")
        String certificate,
    @Key(
            doc = "PEM file with the certificate's private key, in PKCS#8 and not encrypted.",
            example = "/etc/duplog/tls/server.key",
            unit = "path")
        String key,
    @Key(
            doc =
                "PEM file with the certificates of one or more CAs. With it nobody is answered who"
                    + " does not show a certificate of theirs.",
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
