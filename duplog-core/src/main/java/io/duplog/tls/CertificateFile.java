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
 * @param trusted whether it holds CAs that are trusted, any of which may do, and not a certificate
 *     that is shown, with its chain, all of which is needed
 */
public record CertificateFile(String path, boolean trusted) {

  /**
   * Until when it is of use: the end of the first certificate that ends, of CAs of the last.
   *
   * @throws IOException whose message is one line that names the file and what is wrong with it
   */
  public Instant validUntil() throws IOException {
    Stream<Instant> ends =
        PemFile.certificates(path).stream().map(X509Certificate::getNotAfter).map(Date::toInstant);
    Comparator<Instant> earlier = Comparator.naturalOrder();
    return (trusted ? ends.max(earlier) : ends.min(earlier)).orElseThrow();
  }
}
