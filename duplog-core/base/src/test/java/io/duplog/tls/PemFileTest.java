package io.duplog.tls;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_16;
import static java.nio.charset.StandardCharsets.UTF_16LE;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.cert.X509Certificate;
import java.util.Base64;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Files as administrators, their CAs and their tools make them. */
class PemFileTest {
  private static final String OTHERS =
      """
      Bag Attributes
          friendlyName: duplog -- made by hand
      subject=CN = server
      -----BEGIN EC PARAMETERS-----
      BggqhkjOPQMBBw==
      -----END EC PARAMETERS-----
      -----BEGIN X509 CRL-----
      MIIB
      -----END X509 CRL-----
      -----BEGIN DH PARAMETERS-----
      MIIC
      -----END DH PARAMETERS-----
      -----BEGIN PUBLIC KEY-----
      not even base64!
      -----END PUBLIC KEY-----
      """;

  @TempDir private static Path folder;
  private static String own;
  private static String ca;
  private static String key;

  @BeforeAll
  static void certify() {
    Authority authority = new Authority(folder, "ca").issue("server", "localhost").issue("other");
    own = authority.text("server.pem");
    ca = authority.text("ca.pem");
    key = authority.text("server.key");
    assertThat(own + ca + key).endsWith("\n").doesNotContain("\r");
  }

  private static String write(byte[] content) throws IOException {
    return Files.write(folder.resolve("file.pem"), content).toString();
  }

  private static String write(String content) throws IOException {
    return write(content.getBytes(UTF_8));
  }

  static Stream<String> bundles() {
    return Stream.of(
        own + ca + key,
        key + own + ca,
        own + key + ca,
        OTHERS + own + OTHERS + ca + OTHERS + key + OTHERS,
        (own + ca + key).replace("\n", "\r\n"),
        (own + ca + key).replace("\n", "\r"),
        (own + ca + key).replace("\n", ""),
        own.strip() + ca.strip() + key.strip(),
        "\ufeff" + own + ca + key,
        "\ufeff" + own + "\ufeff" + ca + "\ufeff" + key,
        (own + ca + key).replace("\n", " \n\t "),
        own + "-----BEGIN COMMENT-----\nthat does not end\n" + ca + key,
        own + "\u4e2d text between \u0000 -----BEGIN----- \n" + ca + key,
        (own + ca).replace(" CERTIFICATE", " X509 CERTIFICATE") + key,
        own
            + ca
            + "-----BEGIN ENCRYPTED PRIVATE KEY-----\nMII\n-----END ENCRYPTED PRIVATE KEY-----\n"
            + key);
  }

  @ParameterizedTest
  @MethodSource("bundles")
  void certificatesAndKey_areFound_whateverElseTheFileHolds(String bundle) throws Exception {
    String file = write(bundle);
    List<X509Certificate> chain = PemFile.certificates(file);
    assertThat(chain)
        .extracting(each -> each.getSubjectX500Principal().getName())
        .containsExactly("CN=server", "CN=ca");
    assertThat(PemFile.privateKey(file, chain.get(0))).isNotNull();
  }

  @Test
  void otherEncodings_areRead() throws Exception {
    assertThat(PemFile.certificates(write((own + ca).getBytes(UTF_16)))).hasSize(2);
    byte[] littleEndian = ("\ufeff" + own + ca).getBytes(UTF_16LE);
    assertThat(PemFile.certificates(write(littleEndian))).hasSize(2);
    byte[] der =
        Base64.getMimeDecoder()
            .decode(own.replaceAll("-----[A-Z ]+-----", "").getBytes(ISO_8859_1));
    assertThat(PemFile.certificates(write(der))).hasSize(1);
  }

  @Test
  void keyOfSeveral_isTheOneThatBelongsToTheCertificate() throws Exception {
    String other = Files.readString(folder.resolve("other.key"));
    X509Certificate certificate = PemFile.certificates(write(own)).get(0);
    assertThat(PemFile.privateKey(write(other + key), certificate)).isNotNull();
    assertThatThrownBy(() -> PemFile.privateKey(write(other + other), certificate))
        .hasMessageContaining(" is not the key of the certificate CN=server");
  }

  static String block(String label) {
    return "-----BEGIN " + label + "-----\nMHc=\n-----END " + label + "-----\n";
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      nullValues = "-",
      value = {
        "'' | ",
        "nothing | ",
        "PRIVATE KEY | ; it holds PRIVATE KEY",
        "X509 CRL,PRIVATE KEY,X509 CRL | ; it holds X509 CRL, PRIVATE KEY",
        "CERTIFICATE REQUEST | ; it holds CERTIFICATE REQUEST",
        "PUBLIC KEY | ; it holds PUBLIC KEY",
        "TRUSTED CERTIFICATE | ; it holds TRUSTED CERTIFICATE; convert it: openssl x509 -in FILE",
      })
  void missingCertificate_isNamed_withWhatIsThere(String labels, String said) throws Exception {
    String file = write(content(labels));
    assertThatThrownBy(() -> PemFile.certificates(file))
        .hasMessageStartingWith(
            file
                + " holds no PEM certificates (BEGIN CERTIFICATE)"
                + (said == null ? "" : said.replace("FILE", file)));
  }

  private static String content(String labels) {
    return labels.matches("[A-Z0-9 ,]+")
        ? Stream.of(labels.split(",")).map(PemFileTest::block).reduce("", String::concat)
        : labels;
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "CERTIFICATE | holds no PEM private key (BEGIN PRIVATE KEY); it holds CERTIFICATE",
        "X509 CRL,PUBLIC KEY | holds no PEM private key (BEGIN PRIVATE KEY); it holds X509 CRL, PUBLIC KEY",
        "CERTIFICATE,ENCRYPTED PRIVATE KEY | holds a key that is encrypted (BEGIN ENCRYPTED PRIVATE KEY)",
        "EC PARAMETERS,EC PRIVATE KEY | holds a key in another form (BEGIN EC PRIVATE KEY); convert it: openssl pkcs8",
        "RSA PRIVATE KEY | holds a key in another form (BEGIN RSA PRIVATE KEY); convert it: openssl pkcs8",
        "OPENSSH PRIVATE KEY | holds a key of ssh (BEGIN OPENSSH PRIVATE KEY)",
      })
  void missingKey_isNamed_withWhatIsThere(String labels, String said) throws Exception {
    X509Certificate certificate = PemFile.certificates(write(own)).get(0);
    String file = write(content(labels));
    assertThatThrownBy(() -> PemFile.privateKey(file, certificate))
        .hasMessageStartingWith(file + " " + said);
  }

  @Test
  void oldEncryptedKey_isNamedAsSuch() throws Exception {
    X509Certificate certificate = PemFile.certificates(write(own)).get(0);
    String old =
        block("RSA PRIVATE KEY").replace("MHc", "Proc-Type: 4,ENCRYPTED\nDEK-Info: x\n\nMHc");
    assertThatThrownBy(() -> PemFile.privateKey(write(own + old), certificate))
        .hasMessageContaining(" holds a key that is encrypted (BEGIN RSA PRIVATE KEY)");
  }

  @Test
  void damagedBase64_isNamed_byItsBlock() throws Exception {
    String file = folder.resolve("file.pem").toString();
    X509Certificate certificate = PemFile.certificates(write(own)).get(0);
    assertThatThrownBy(() -> PemFile.certificates(write(own + damaged(ca))))
        .isInstanceOf(IOException.class)
        .hasMessageStartingWith(file + ": certificate 2 can't be read (its base64 is damaged: ")
        .hasMessageEndingWith("copy it again; 'openssl x509 -noout -in %s' must accept it", file);
    assertThatThrownBy(() -> PemFile.privateKey(write(damaged(key)), certificate))
        .isInstanceOf(IOException.class)
        .hasMessageStartingWith(file + ": the key can't be read (its base64 is damaged: ")
        .hasMessageEndingWith("copy it again; 'openssl pkey -noout -in %s' must accept it", file);
    assertThat(PemFile.privateKey(write(damaged(key) + key), certificate)).isNotNull();
    assertThat(PemFile.privateKey(write(key + damaged(key)), certificate)).isNotNull();
  }

  /** Removes one character, so that the base64 ends in the middle of a byte. */
  private static String damaged(String pem) {
    int last = pem.lastIndexOf("\n-----END") - 1;
    String text = pem.substring(0, last + 1).replaceAll("=+$", "");
    int digits = text.substring(text.indexOf("-----\n")).replaceAll("[^A-Za-z0-9+/]", "").length();
    return text.substring(0, text.length() - (digits + 3) % 4) + pem.substring(last + 1);
  }

  @Test
  void anyDamage_isAnIoException_thatNamesTheFile() throws Exception {
    X509Certificate certificate = PemFile.certificates(write(own)).get(0);
    int failures = 0;
    for (String pem : List.of(own, key)) {
      for (int at = 0; at < pem.length(); at++) {
        for (String instead : List.of("", "=", "A")) {
          String file = write(pem.substring(0, at) + instead + pem.substring(at + 1));
          Throwable failure =
              pem.equals(own)
                  ? catchThrowable(() -> PemFile.certificates(file))
                  : catchThrowable(() -> PemFile.privateKey(file, certificate));
          if (failure != null) {
            assertThat(failure).isInstanceOf(IOException.class).hasMessageStartingWith(file);
            failures++;
          }
        }
      }
    }
    assertThat(failures).isGreaterThan(own.length());
  }

  @Test
  void damagedBlock_isNamed_byItsNumber() throws Exception {
    String half = ca.substring(0, ca.length() / 2);
    assertThatThrownBy(() -> PemFile.certificates(write(own + half)))
        .hasMessage(
            "%s: certificate 2 is cut off: it has BEGIN CERTIFICATE and no END CERTIFICATE"
                .formatted(folder.resolve("file.pem")));
    assertThatThrownBy(() -> PemFile.certificates(write(half + own)))
        .hasMessageContaining(": certificate 1 is cut off");
    assertThatThrownBy(() -> PemFile.certificates(write(own + block("CERTIFICATE"))))
        .hasMessageContaining(": certificate 2 can't be read (");
    X509Certificate certificate = PemFile.certificates(write(own)).get(0);
    assertThatThrownBy(
            () -> PemFile.privateKey(write(key.substring(0, key.length() / 2)), certificate))
        .hasMessageContaining(": the key is cut off");
  }
}
