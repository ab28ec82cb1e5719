package io.duplog.parts;

import java.nio.file.Path;

/** Issues the certificates of the servers that tests start with TLS. */
public interface CertificateIssuer {
  /** Issues a certificate under a name, for hosts or addresses. */
  CertificateIssuer issue(String name, String... hosts);

  /** Copies the certificate with a name to a server: {@code ca.pem, server.pem, server.key}. */
  void copyTo(Path server, String name);
}
