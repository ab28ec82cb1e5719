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
 * Thrown if the peer's certificate is refused. Its message tells the operator why, in a clause that
 * begins with "its certificate".
 */
final class RefusedCertificateException extends CertificateException {
  /** Types of subject alternative names for hosts: DNS name and IP address (RFC 5280). */
  private static final Set<Object> HOST_NAME_TYPES = Set.of(2, 7);

  private static final Integer DNS_NAME = 2;

  RefusedCertificateException(String clause, CertificateException failure) {
    // JSSE chooses the TLS alert by the validator's exception, which must therefore be the cause.
    super(clause, failure.getCause() == null ? failure : failure.getCause());
  }

  /**
   * Returns the reason why a certificate is refused.
   *
   * @param host the host that this process connects to
   * @param trusted description of the trusted CAs
   * @param isTrusted whether the chain is trusted, so that only the name does not match
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
          || (cause instanceof CertPathValidatorException path
              && isUntrustedCa(path.getReason()))) {
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
        String subject =
            each.equals(chain[0])
                ? "its certificate"
                : "its certificate's CA " + each.getSubjectX500Principal().getName();
        return subject + " expired on " + each.getNotAfter().toInstant();
      }
    }
    return "its certificate has expired";
  }

  /**
   * Whether the certificate is from an untrusted CA. If that CA has the same name as a trusted CA,
   * but a different key, only the signature reveals it.
   */
  private static boolean isUntrustedCa(Reason reason) {
    return reason == BasicReason.INVALID_SIGNATURE || reason == PKIXReason.NO_TRUST_ANCHOR;
  }

  private static String names(X509Certificate certificate) {
    try {
      String names = namesWithPrefix(certificate, "", "").collect(Collectors.joining(", "));
      return names.isEmpty()
          ? "no name (subjectAltName is missing; the common name does not count)"
          : names;
    } catch (CertificateParsingException e) {
      return "names that can't be read";
    }
  }

  /**
   * Returns the reason why a name in the certificate that resembles the host's name does not match,
   * or an empty text.
   */
  private static String hint(X509Certificate certificate, String host) {
    String hostWithoutBrackets = host.replaceAll("[\\[\\]]", "");
    try {
      if (namesWithPrefix(certificate, "", "")
          .anyMatch(name -> name.equals(hostWithoutBrackets + "."))) {
        return ": in a certificate no name ends in a dot";
      }
      boolean isAddress = InetAddresses.isInetAddress(hostWithoutBrackets);
      if (isAddress
          && namesWithPrefix(certificate, "DNS:", "IP:")
              .anyMatch(("DNS:" + hostWithoutBrackets)::equals)) {
        return ": an address counts only as IP:%s in subjectAltName, not as DNS:%s"
            .formatted(hostWithoutBrackets, hostWithoutBrackets);
      }
      return "";
    } catch (CertificateParsingException e) {
      return "";
    }
  }

  /**
   * Returns the names and addresses in a certificate, DNS names and IP addresses with their
   * prefixes.
   */
  private static Stream<String> namesWithPrefix(
      X509Certificate certificate, String dnsPrefix, String ipPrefix)
      throws CertificateParsingException {
    Collection<List<?>> alternativeNames = certificate.getSubjectAlternativeNames();
    return (alternativeNames == null ? Stream.<List<?>>empty() : alternativeNames.stream())
        .filter(name -> HOST_NAME_TYPES.contains(name.get(0)))
        .map(name -> (name.get(0).equals(DNS_NAME) ? dnsPrefix : ipPrefix) + name.get(1));
  }
}
