package io.duplog.tls;

import io.duplog.config.Checks;
import io.duplog.config.Key;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The configuration section {@code tls} of a client: the CAs that it trusts, and its own
 * certificate. The chain and the name of the peer's certificate are always verified; no key turns
 * this off.
 */
public record TlsConfig(
    @Key(
            doc =
                "PEM file with the certificates of one or more CAs. These are trusted, and no"
                    + " others; without the key, those that the Java installation trusts.",
            example = "/etc/duplog/tls/ca.pem",
            unit = "path")
        @Nullable String ca,
    @Key(
            doc =
                "PEM file with our own certificate, and its chain where there is one: for a server"
                    + " that demands one.",
            example = "/etc/duplog/tls/client.pem",
            unit = "path")
        @Nullable String certificate,
    @Key(
            doc = "PEM file with the certificate's private key, in PKCS#8 and not encrypted.",
            example = "/etc/duplog/tls/client.key",
            unit = "path")
        @Nullable String key) {

  public TlsConfig {
    Checks.absolutePath("ca", ca);
    Checks.absolutePath("certificate", certificate);
    Checks.absolutePath("key", key);
    if (certificate != null && key == null) {
      throw Checks.refuse("key", "is missing; a certificate needs its key");
    }
    if (key != null && certificate == null) {
      throw Checks.refuse("certificate", "is missing; a key needs its certificate");
    }
  }

  /** Returns all certificate files that the section names. */
  public List<CertificateFile> certificateFiles() {
    return Stream.concat(
            Stream.ofNullable(certificate).map(path -> new CertificateFile(path, false)),
            Stream.ofNullable(ca).map(path -> new CertificateFile(path, true)))
        .toList();
  }
}
