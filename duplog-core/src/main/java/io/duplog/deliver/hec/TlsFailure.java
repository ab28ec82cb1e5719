package io.duplog.deliver.hec;

import java.security.cert.CertPathBuilderException;
import java.security.cert.CertificateException;
import java.security.cert.CertificateExpiredException;
import java.security.cert.CertificateNotYetValidException;
import javax.net.ssl.SSLException;

/** Why no trust was reached, in words that say whose certificate to look at. */
final class TlsFailure {
  static final String CLIENT_CERTIFICATE = "if it wants a client certificate, set tls.certificate";

  private TlsFailure() {}

  static String inWords(SSLException failure, boolean hasClientCertificate) {
    boolean aboutCertificate = false;
    for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
      if (cause instanceof CertificateExpiredException) {
        return "its certificate has expired (" + cause.getMessage() + ")";
      }
      if (cause instanceof CertificateNotYetValidException) {
        return "its certificate is not valid yet (" + cause.getMessage() + ")";
      }
      if (cause instanceof CertPathBuilderException) {
        return "its certificate is of a CA that is not trusted here (set tls.ca)";
      }
      aboutCertificate |= cause instanceof CertificateException;
    }
    if (aboutCertificate) {
      return "its certificate is not for this host (" + failure.getMessage() + ")";
    }
    // The other side ends the handshake without saying much when it wants to know who we are.
    return "TLS failed ("
        + failure.getMessage()
        + (hasClientCertificate ? ")" : "); " + CLIENT_CERTIFICATE);
  }
}
