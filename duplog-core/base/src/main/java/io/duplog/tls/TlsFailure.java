package io.duplog.tls;

import java.io.EOFException;
import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.util.Set;
import java.util.regex.Pattern;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;

/** Describes why a TLS connection failed, in words that say whose certificate to look at. */
final class TlsFailure {
  /**
   * Beginning of the JDK's message about a TLS alert; only the rest of that message names the kind
   * of alert.
   */
  private static final String ALERT = "Received fatal alert: ";

  /**
   * End of the JDK's message if the other side's answer is not TLS. A socket and an engine begin
   * the message in different ways.
   */
  private static final Pattern NOT_TLS = Pattern.compile("(?i)unrecognized SSL message");

  /**
   * Message of the exception that {@link ClientSockets} throws if the handshake is not answered.
   */
  static final String SILENT = "the TLS handshake is not answered";

  private static final String IS_THIS_ITS_PORT =
      "is this its port for TLS? Else turn TLS on there, or off here (http://, or no section tls)";

  /**
   * Message of a JDK engine if the other side closed the connection; a socket's exception has a
   * cause.
   */
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

  /**
   * Returns the reason as {@link Tls#reason} does; null if TLS has nothing to do with the failure.
   */
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
    // The alert that follows a missing certificate differs by library and version.
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
