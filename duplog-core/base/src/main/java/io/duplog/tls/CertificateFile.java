package io.duplog.tls;

import java.io.IOException;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.util.Comparator;
import java.util.Date;
import java.util.stream.Stream;

/**
 * A file of certificates that a configuration names.
 *
 * @param trusted whether the file holds trusted CAs, any one of which may suffice. Otherwise it
 *     holds a certificate to show and its chain, all of which is needed.
 */
public record CertificateFile(String path, boolean trusted) {

  /**
   * Returns until when the file is of use. That is the end of the first certificate that expires;
   * of trusted CAs, of the last one.
   *
   * @throws IOException with a message of one line that names the file and what is wrong with it
   */
  public Instant validUntil() throws IOException {
    Stream<Instant> ends =
        PemFile.certificates(path).stream().map(X509Certificate::getNotAfter).map(Date::toInstant);
    Comparator<Instant> earlier = Comparator.naturalOrder();
    return (trusted ? ends.max(earlier) : ends.min(earlier)).orElseThrow();
  }
}
