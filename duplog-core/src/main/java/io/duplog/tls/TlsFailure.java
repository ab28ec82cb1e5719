package io.duplog.tls;

import java.io.EOFException;
import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.util.Set;
import java.util.regex.Pattern;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;

/** Why no trust was reached, in words that say whose certificate to look at. */
final class TlsFailure {
  /** How the JDK begins the message about an alert; it tells its kind in no other way. */
  private static final String ALERT = "Received fatal alert: ";

  /**
   * And the end of what it says when the other side answers something that is not TLS; a socket and
   * an engine begin it in different ways.
   */
  private static final Pattern NOT_TLS = Pattern.compile("(?i)unrecognized SSL message");

  /** What {@link ClientSockets} says when the other side does not answer the handshake in time. */
  static final String SILENT = "the TLS handshake is not answered";

  private static final String IS_THIS_ITS_PORT =
      "is this its port for TLS? Else turn TLS on there, or off here (http://, or no section tls)";

  /** What an engine says where the other side hung up; a socket has the cause. */
  private static final String CLOSED = "Remote host terminated the handshake";

  private static final Set<String> ABOUT_OURS =
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

  /** See {@link Tls#reason}. */
  static @Nullable String inWords(Throwable failure, Tls tls) {
    SSLException outermost = null;
    boolean closed = false;
    for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
      if (cause instanceof RefusedCertificateException refused) {
        return refused.getMessage();
      }
      if (cause instanceof SSLException each && outermost == null) {
        outermost = each;
      }
      closed |= cause instanceof EOFException;
    }
    if (outermost == null) {
      return null;
    }
    String message = String.valueOf(outermost.getMessage());
    int alert = message.indexOf(ALERT);
    if (alert >= 0) {
      return alert(message.substring(alert + ALERT.length()).strip(), tls);
    }
    if (NOT_TLS.matcher(message).find()) {
      return "it answers without TLS: " + IS_THIS_ITS_PORT;
    }
    if (message.equals(SILENT)) {
      return "it does not answer the TLS handshake: " + IS_THIS_ITS_PORT;
    }
    if (closed || message.contains(CLOSED)) {
      return "it closed the connection in the TLS handshake"
          + (tls.isAsked() ? tls.hint() : " (is this its port for TLS?)");
    }
    return "TLS failed (" + words(outermost) + ")";
  }

  private static String words(SSLException failure) {
    for (Throwable cause = failure.getCause(); cause != null; cause = cause.getCause()) {
      if (cause instanceof CertificateException && cause.getMessage() != null) {
        return cause.getMessage();
      }
    }
    return String.valueOf(failure.getMessage());
  }

  private static String alert(String alert, Tls tls) {
    X509Certificate own = tls.ownCertificate();
    if (alert.equals("protocol_version")) {
      return "it speaks neither TLS 1.3 nor 1.2 (protocol_version)";
    }
    boolean aboutOurs = ABOUT_OURS.contains(alert);
    // Which alert follows a missing certificate differs by library and version.
    if (own == null && tls.isAsked() && (aboutOurs || alert.equals("handshake_failure"))) {
      return "it demands a client certificate, and tls.certificate is not set";
    }
    if (own == null || !aboutOurs) {
      return "it broke off the TLS handshake (" + alert + ")";
    }
    String ours = "our certificate " + tls.ownFile();
    String issuer = own.getIssuerX500Principal().getName();
    Instant until = own.getNotAfter().toInstant();
    if (until.isBefore(Instant.now())) {
      return ours + " expired on " + until + ", and it refuses it";
    }
    return switch (alert) {
      case "unknown_ca" -> "it does not trust the CA of " + ours + ": " + issuer;
      case "certificate_expired" ->
          "it takes "
              + ours
              + " for expired, which is valid until "
              + until
              + ": compare the clocks";
      default ->
          "it refuses %s of %s, issued by %s (%s)"
              .formatted(ours, own.getSubjectX500Principal().getName(), issuer, alert);
    };
  }
}
