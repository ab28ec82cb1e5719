package io.duplog.tls;

import com.google.common.net.InetAddresses;
import java.security.cert.CertPathBuilderException;
import java.security.cert.CertPathValidatorException;
import java.security.cert.CertPathValidatorException.BasicReason;
import java.security.cert.CertPathValidatorException.Reason;
import java.security.cert.CertificateException;
import java.security.cert.CertificateExpiredException;
import java.security.cert.CertificateNotYetValidException;
import java.security.cert.CertificateParsingException;
import java.security.cert.PKIXReason;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Thrown if the other side's certificate is not accepted. The message is a clause that begins with
 * "its certificate".
 */
final class RefusedCertificateException extends CertificateException {
  /** Types of subject alternative names that denote hosts: DNS name and IP address (RFC 5280). */
  private static final Set<Object> NAMES_OF_HOSTS = Set.of(2, 7);

  private static final Integer DNS_NAME = 2;

  RefusedCertificateException(String clause, CertificateException failure) {
    // JSSE chooses the alert by the validator's exception, so that has to be the cause.
    super(clause, failure.getCause() == null ? failure : failure.getCause());
  }

  /**
   * Returns why a certificate is not accepted.
   *
   * @param host the host that this process connects to
   * @param trusted the CAs that are trusted, in words
   * @param isTrusted whether the chain is trusted, so that only the name is wrong
   */
  static String describe(
      X509Certificate[] chain,
      String host,
      String trusted,
      CertificateException failure,
      boolean isTrusted) {
    if (isTrusted) {
      return "its certificate is for %s, not for %s%s"
          .formatted(names(chain[0]), host, hint(chain[0], host));
    }
    Instant now = Instant.now();
    for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
      if (cause instanceof CertificateExpiredException) {
        return expired(chain, now);
      }
      if (cause instanceof CertificateNotYetValidException) {
        return "its certificate is not valid before "
            + chain[0].getNotBefore().toInstant()
            + " (are both clocks right?)";
      }
      if (cause instanceof CertPathBuilderException
          || (cause instanceof CertPathValidatorException path && isOfAnother(path.getReason()))) {
        return "its certificate is of a CA that is not trusted here: "
            + chain[chain.length - 1].getIssuerX500Principal().getName()
            + " is not in "
            + trusted;
      }
    }
    return "its certificate is not acceptable (" + failure.getMessage() + ")";
  }

  private static String expired(X509Certificate[] chain, Instant now) {
    for (X509Certificate each : chain) {
      if (each.getNotAfter().toInstant().isBefore(now)) {
        String whose =
            each.equals(chain[0])
                ? "its certificate"
                : "its certificate's CA " + each.getSubjectX500Principal().getName();
        return whose + " expired on " + each.getNotAfter().toInstant();
      }
    }
    return "its certificate has expired";
  }

  /**
   * Whether the certificate is of an untrusted CA. If that CA has a trusted one's name but another
   * key, only the signature shows it.
   */
  private static boolean isOfAnother(Reason reason) {
    return reason == BasicReason.INVALID_SIGNATURE || reason == PKIXReason.NO_TRUST_ANCHOR;
  }

  private static String names(X509Certificate certificate) {
    try {
      String names = named(certificate, "", "").collect(Collectors.joining(", "));
      return names.isEmpty()
          ? "no name (subjectAltName is missing; the common name does not count)"
          : names;
    } catch (CertificateParsingException e) {
      return "names that can't be read";
    }
  }

  /** Returns why a name in the certificate that looks like the host's does not count. */
  private static String hint(X509Certificate certificate, String host) {
    String bare = host.replaceAll("[\\[\\]]", "");
    try {
      if (named(certificate, "", "").anyMatch(name -> name.equals(bare + "."))) {
        return ": in a certificate no name ends in a dot";
      }
      boolean isAddress = InetAddresses.isInetAddress(bare);
      if (isAddress && named(certificate, "DNS:", "IP:").anyMatch(("DNS:" + bare)::equals)) {
        return ": an address counts only as IP:%s in subjectAltName, not as DNS:%s"
            .formatted(bare, bare);
      }
      return "";
    } catch (CertificateParsingException e) {
      return "";
    }
  }

  /** Returns the names and addresses that a certificate is for, each kind with its prefix. */
  private static Stream<String> named(X509Certificate certificate, String dns, String ip)
      throws CertificateParsingException {
    Collection<List<?>> all = certificate.getSubjectAlternativeNames();
    return (all == null ? Stream.<List<?>>empty() : all.stream())
        .filter(name -> NAMES_OF_HOSTS.contains(name.get(0)))
        .map(name -> (name.get(0).equals(DNS_NAME) ? dns : ip) + name.get(1));
  }
}
