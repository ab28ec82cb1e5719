package io.duplog.tls;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.EOFException;
import java.io.IOException;
import java.net.SocketException;
import java.nio.file.Path;
import javax.net.ssl.SSLHandshakeException;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Tests that each TLS handshake failure of supported Java versions is explained to the operator
 * with its cause and the certificate to check. {@code HttpClient} throws the failures in which an
 * exception is the cause of an exception of the same class.
 */
class TlsFailureTest {
  @TempDir private static Path folder;
  private static Authority ca;

  @BeforeAll
  static void issueCertificates() {
    ca = new Authority(folder, "ca").issue("client").issueExpired("late");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          # certificate requested | our certificate | failure | description, including the hint
          false   |        | SocketException: Broken pipe                                | Broken pipe
          false   | client | SocketException: Connection reset                           | Connection reset
          true    |        | SocketException: Broken pipe                                | Broken pipe; it asks for a client certificate, and tls.certificate is not set
          true    |        | IOException: Error writing to server                        | Error writing to server; it asks for a client certificate, and tls.certificate is not set
          true    | client | SocketException: Connection reset                           | Connection reset; it may refuse our certificate FOLDER/client.pem
          true    | late   | SocketException: Connection reset                           | Connection reset; our certificate FOLDER/late.pem expired on DATE
          false   |        | TERMINATED < EOFException: SSL peer shut down incorrectly   | it closed the connection in the TLS handshake (is this its port for TLS?)
          false   | client | TERMINATED < TERMINATED                                     | it closed the connection in the TLS handshake (is this its port for TLS?)
          true    |        | TERMINATED < EOFException: SSL peer shut down incorrectly   | it closed the connection in the TLS handshake; it asks for a client certificate, and tls.certificate is not set
          true    | client | TERMINATED < TERMINATED < IOException: Broken pipe          | it closed the connection in the TLS handshake; it may refuse our certificate FOLDER/client.pem
          true    | late   | TERMINATED < TERMINATED < SocketException: Connection reset | it closed the connection in the TLS handshake; our certificate FOLDER/late.pem expired on DATE
          false   |        | ALERT handshake_failure                                     | it broke off the TLS handshake (handshake_failure)
          true    |        | ALERT handshake_failure                                     | it demands a client certificate, and tls.certificate is not set
          true    |        | ALERT certificate_required                                  | it demands a client certificate, and tls.certificate is not set
          true    |        | ALERT bad_certificate < ALERT bad_certificate               | it demands a client certificate, and tls.certificate is not set
          true    |        | ALERT internal_error                                        | it broke off the TLS handshake (internal_error)
          true    | client | ALERT handshake_failure                                     | it broke off the TLS handshake (handshake_failure)
          true    | client | ALERT unknown_ca                                            | it does not trust the CA of our certificate FOLDER/client.pem: CN=ca
          true    | client | ALERT certificate_expired                                   | it takes our certificate FOLDER/client.pem for expired, which is valid until DATE: compare the clocks
          true    | client | ALERT bad_certificate                                       | it refuses our certificate FOLDER/client.pem of CN=client, issued by CN=ca (bad_certificate)
          true    | late   | ALERT certificate_unknown                                   | our certificate FOLDER/late.pem expired on DATE, and it refuses it
          false   |        | ALERT protocol_version                                      | it speaks neither TLS 1.3 nor 1.2 (protocol_version)
          """)
  void reason_observedFailure_describesCauseAndCertificate(
      boolean certificateRequested, @Nullable String certificate, String failure, String expected) {
    Tls tls = Tls.ofClient("test", certificate == null ? ca.client() : ca.client(certificate));
    if (certificateRequested) {
      new FreshKeys(tls).chooseClientAlias(new String[] {"EC"}, null, null);
    }
    Throwable thrown = chain(failure);
    String reason = tls.reason(thrown);
    String description = reason == null ? thrown.getMessage() + tls.hint() : reason;
    assertThat(TlsTest.normalized(description, folder)).isEqualTo(expected);
  }

  private static Throwable chain(String failure) {
    String[] causes = failure.split(" < ", 2);
    Throwable first = exception(causes[0]);
    return causes.length == 1 ? first : first.initCause(chain(causes[1]));
  }

  private static Throwable exception(String text) {
    String[] words = text.split(":? ", 2);
    return switch (words[0]) {
      case "TERMINATED" -> new SSLHandshakeException("Remote host terminated the handshake");
      case "ALERT" ->
          new SSLHandshakeException("(%1$s) Received fatal alert: %1$s".formatted(words[1]));
      case "EOFException" -> new EOFException(words[1]);
      case "SocketException" -> new SocketException(words[1]);
      case "IOException" -> new IOException(words[1]);
      default -> throw new IllegalArgumentException(text);
    };
  }
}
