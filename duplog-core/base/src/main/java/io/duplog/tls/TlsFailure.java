package io.duplog.tls;

import java.io.EOFException;
import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.util.Set;
import java.util.regex.Pattern;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;

/** Explains to an operator why a TLS connection failed, and which side's certificate to check. */
final class TlsFailure {
  /**
   * Beginning of the JDK's message about a TLS alert; the rest of the message is the name of the
   * alert.
   */
  private static final String ALERT_PREFIX = "Received fatal alert: ";

  /**
   * End of the JDK's message if the peer's answer is not TLS. The beginning of the message differs
   * between sockets and engines.
   */
  private static final Pattern NOT_TLS = Pattern.compile("(?i)unrecognized SSL message");

  /**
   * Message of the exception that {@link ClientSockets} throws if the peer does not answer the
   * handshake.
   */
  static final String NO_ANSWER = "the TLS handshake is not answered";

  private static final String IS_THIS_ITS_PORT =
      "is this its port for TLS? Else turn TLS on there, or off here (http://, or no section tls)";

  /**
   * Message of the exception of a JDK engine if the peer closed the connection; the exception of a
   * socket has a cause instead.
   */
  private static final String CLOSED = "Remote host terminated the handshake";

  private static final Set<String> ALERTS_ABOUT_OUR_CERTIFICATE =
      Set.of(
          "certificate_required",
          "bad_certificate",
          "unsupported_certificate",
          "certificate_revoked",
          "certificate_expired",
          "certificate_unknown",
          "unknown_ca",
          "access_denied");

  private TlsFailure() {}

  /** Returns the reason for {@link Tls#reason}, or null if TLS is not the cause of the failure. */
  static @Nullable String inWords(Throwable failure, Tls tls) {
    SSLException outermost = null;
    boolean closedByPeer = false;
    for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
      if (cause instanceof RefusedCertificateException refused) {
        return refused.getMessage();
      }
      if (cause instanceof SSLException each && outermost == null) {
        outermost = each;
      }
      closedByPeer |= cause instanceof EOFException;
    }
    if (outermost == null) {
      return null;
    }
    String message = String.valueOf(outermost.getMessage());
    int alert = message.indexOf(ALERT_PREFIX);
    if (alert >= 0) {
      return describeAlert(message.substring(alert + ALERT_PREFIX.length()).strip(), tls);
    }
    if (NOT_TLS.matcher(message).find()) {
      return "it answers without TLS: " + IS_THIS_ITS_PORT;
    }
    if (message.equals(NO_ANSWER)) {
      return "it does not answer the TLS handshake: " + IS_THIS_ITS_PORT;
    }
    if (closedByPeer || message.contains(CLOSED)) {
      return "it closed the connection in the TLS handshake"
          + (tls.isAsked() ? tls.hint() : " (is this its port for TLS?)");
    }
    return "TLS failed (" + message(outermost) + ")";
  }

  private static String message(SSLException failure) {
    for (Throwable cause = failure.getCause(); cause != null; cause = cause.getCause()) {
      if (cause instanceof CertificateException && cause.getMessage() != null) {
        return cause.getMessage();
      }
    }
    return String.valueOf(failure.getMessage());
  }

  private static String describeAlert(String alert, Tls tls) {
    X509Certificate certificate = tls.ownCertificate();
    if (alert.equals("protocol_version")) {
      return "it speaks neither TLS 1.3 nor 1.2 (protocol_version)";
    }
    boolean isAboutOurCertificate = ALERTS_ABOUT_OUR_CERTIFICATE.contains(alert);
    // The alert for a missing certificate depends on the peer's library and version.
    if (certificate == null
        && tls.isAsked()
        && (isAboutOurCertificate || alert.equals("handshake_failure"))) {
      return "it demands a client certificate, and tls.certificate is not set";
    }
    if (certificate == null || !isAboutOurCertificate) {
      return "it broke off the TLS handshake (" + alert + ")";
    }
    String ourCertificate = "our certificate " + tls.ownFile();
    String issuer = certificate.getIssuerX500Principal().getName();
    Instant expiry = certificate.getNotAfter().toInstant();
    if (expiry.isBefore(Instant.now())) {
      return ourCertificate + " expired on " + expiry + ", and it refuses it";
    }
    return switch (alert) {
      case "unknown_ca" -> "it does not trust the CA of " + ourCertificate + ": " + issuer;
      case "certificate_expired" ->
          "it takes "
              + ourCertificate
              + " for expired, which is valid until "
              + expiry
              + ": compare the clocks";
      default ->
          "it refuses %s of %s, issued by %s (%s)"
              .formatted(
                  ourCertificate, certificate.getSubjectX500Principal().getName(), issuer, alert);
    };
  }
}
