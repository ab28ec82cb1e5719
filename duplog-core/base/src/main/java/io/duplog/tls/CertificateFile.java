package io.duplog.tls;

import java.io.IOException;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.util.Comparator;
import java.util.Date;
import java.util.stream.Stream;

/**
 * A certificate file that the configuration names; the doctor checks when it expires.
 *
 * @param trusted whether the file contains trusted CAs; a single valid CA may then be enough.
 *     Otherwise the file contains this process's certificate and its chain, and all of them are
 *     needed.
 */
public record CertificateFile(String path, boolean trusted) {

  /**
   * Returns the time at which the file becomes unusable: when the first certificate expires, or, in
   * a file of trusted CAs, when the last one expires.
   *
   * @throws IOException with a one-line message that names the file and its problem
   */
  public Instant validUntil() throws IOException {
    Stream<Instant> expiryTimes =
        PemFile.certificates(path).stream().map(X509Certificate::getNotAfter).map(Date::toInstant);
    Comparator<Instant> naturalOrder = Comparator.naturalOrder();
    return (trusted ? expiryTimes.max(naturalOrder) : expiryTimes.min(naturalOrder)).orElseThrow();
  }
}
