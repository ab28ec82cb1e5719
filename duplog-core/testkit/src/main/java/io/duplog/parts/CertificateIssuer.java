package io.duplog.parts;

import java.nio.file.Path;

/** A certificate authority, as servers need it. */
public interface CertificateIssuer {
  /** Issues a certificate under a name, for hosts or addresses. */
  CertificateIssuer issue(String name, String... hosts);

  /** Gives a server what was issued under a name: {@code ca.pem, server.pem, server.key}. */
  void copyTo(Path server, String name);
}
