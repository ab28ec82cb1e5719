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

/**
 * Tests that certificates and keys are read from PEM files of various tools, and that damaged files
 * are reported with the reason.
 */
class PemFileTest {
  private static final String OTHER_BLOCKS =
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
  private static String certificatePem;
  private static String caPem;
  private static String keyPem;

  @BeforeAll
  static void issueCertificates() {
    Authority authority = new Authority(folder, "ca").issue("server", "localhost").issue("other");
    certificatePem = authority.text("server.pem");
    caPem = authority.text("ca.pem");
    keyPem = authority.text("server.key");
    assertThat(certificatePem + caPem + keyPem).endsWith("\n").doesNotContain("\r");
  }

  private static String write(byte[] content) throws IOException {
    return Files.write(folder.resolve("file.pem"), content).toString();
  }

  private static String write(String content) throws IOException {
    return write(content.getBytes(UTF_8));
  }

  static Stream<String> bundles() {
    return Stream.of(
        certificatePem + caPem + keyPem,
        keyPem + certificatePem + caPem,
        certificatePem + keyPem + caPem,
        OTHER_BLOCKS + certificatePem + OTHER_BLOCKS + caPem + OTHER_BLOCKS + keyPem + OTHER_BLOCKS,
        (certificatePem + caPem + keyPem).replace("\n", "\r\n"),
        (certificatePem + caPem + keyPem).replace("\n", "\r"),
        (certificatePem + caPem + keyPem).replace("\n", ""),
        certificatePem.strip() + caPem.strip() + keyPem.strip(),
        "\ufeff" + certificatePem + caPem + keyPem,
        "\ufeff" + certificatePem + "\ufeff" + caPem + "\ufeff" + keyPem,
        (certificatePem + caPem + keyPem).replace("\n", " \n\t "),
        certificatePem + "-----BEGIN COMMENT-----\nthat does not end\n" + caPem + keyPem,
        certificatePem + "\u4e2d text between \u0000 -----BEGIN----- \n" + caPem + keyPem,
        (certificatePem + caPem).replace(" CERTIFICATE", " X509 CERTIFICATE") + keyPem,
        certificatePem
            + caPem
            + "-----BEGIN ENCRYPTED PRIVATE KEY-----\nMII\n-----END ENCRYPTED PRIVATE KEY-----\n"
            + keyPem);
  }

  @ParameterizedTest
  @MethodSource("bundles")
  void certificates_fileWithOtherContent_certificatesAndKeyAreRead(String bundle) throws Exception {
    String file = write(bundle);
    List<X509Certificate> chain = PemFile.certificates(file);
    assertThat(chain)
        .extracting(each -> each.getSubjectX500Principal().getName())
        .containsExactly("CN=server", "CN=ca");
    assertThat(PemFile.privateKey(file, chain.get(0))).isNotNull();
  }

  @Test
  void certificates_utf16OrDer_areRead() throws Exception {
    assertThat(PemFile.certificates(write((certificatePem + caPem).getBytes(UTF_16)))).hasSize(2);
    byte[] littleEndian = ("\ufeff" + certificatePem + caPem).getBytes(UTF_16LE);
    assertThat(PemFile.certificates(write(littleEndian))).hasSize(2);
    byte[] der =
        Base64.getMimeDecoder()
            .decode(certificatePem.replaceAll("-----[A-Z ]+-----", "").getBytes(ISO_8859_1));
    assertThat(PemFile.certificates(write(der))).hasSize(1);
  }

  @Test
  void privateKey_severalKeys_returnsTheCertificatesKey() throws Exception {
    String other = Files.readString(folder.resolve("other.key"));
    X509Certificate certificate = PemFile.certificates(write(certificatePem)).get(0);
    assertThat(PemFile.privateKey(write(other + keyPem), certificate)).isNotNull();
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
  void certificates_noCertificate_errorListsTheBlocks(String labels, String expected)
      throws Exception {
    String file = write(content(labels));
    assertThatThrownBy(() -> PemFile.certificates(file))
        .hasMessageStartingWith(
            file
                + " holds no PEM certificates (BEGIN CERTIFICATE)"
                + (expected == null ? "" : expected.replace("FILE", file)));
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
  void privateKey_noKey_errorListsTheBlocks(String labels, String expected) throws Exception {
    X509Certificate certificate = PemFile.certificates(write(certificatePem)).get(0);
    String file = write(content(labels));
    assertThatThrownBy(() -> PemFile.privateKey(file, certificate))
        .hasMessageStartingWith(file + " " + expected);
  }

  @Test
  void privateKey_oldEncryptedKey_errorSaysEncrypted() throws Exception {
    X509Certificate certificate = PemFile.certificates(write(certificatePem)).get(0);
    String oldKey =
        block("RSA PRIVATE KEY").replace("MHc", "Proc-Type: 4,ENCRYPTED\nDEK-Info: x\n\nMHc");
    assertThatThrownBy(() -> PemFile.privateKey(write(certificatePem + oldKey), certificate))
        .hasMessageContaining(" holds a key that is encrypted (BEGIN RSA PRIVATE KEY)");
  }

  @Test
  void read_damagedBase64_errorNamesTheBlock() throws Exception {
    String file = folder.resolve("file.pem").toString();
    X509Certificate certificate = PemFile.certificates(write(certificatePem)).get(0);
    assertThatThrownBy(() -> PemFile.certificates(write(certificatePem + damaged(caPem))))
        .isInstanceOf(IOException.class)
        .hasMessageStartingWith(file + ": certificate 2 can't be read (its base64 is damaged: ")
        .hasMessageEndingWith("copy it again; 'openssl x509 -noout -in %s' must accept it", file);
    assertThatThrownBy(() -> PemFile.privateKey(write(damaged(keyPem)), certificate))
        .isInstanceOf(IOException.class)
        .hasMessageStartingWith(file + ": the key can't be read (its base64 is damaged: ")
        .hasMessageEndingWith("copy it again; 'openssl pkey -noout -in %s' must accept it", file);
    assertThat(PemFile.privateKey(write(damaged(keyPem) + keyPem), certificate)).isNotNull();
    assertThat(PemFile.privateKey(write(keyPem + damaged(keyPem)), certificate)).isNotNull();
  }

  /** Shortens the base64, so that it ends in the middle of a byte. */
  private static String damaged(String pem) {
    int last = pem.lastIndexOf("\n-----END") - 1;
    String text = pem.substring(0, last + 1).replaceAll("=+$", "");
    int digits = text.substring(text.indexOf("-----\n")).replaceAll("[^A-Za-z0-9+/]", "").length();
    return text.substring(0, text.length() - (digits + 3) % 4) + pem.substring(last + 1);
  }

  @Test
  void read_anyDamage_throwsIoExceptionWithFile() throws Exception {
    X509Certificate certificate = PemFile.certificates(write(certificatePem)).get(0);
    int failures = 0;
    for (String pem : List.of(certificatePem, keyPem)) {
      for (int at = 0; at < pem.length(); at++) {
        for (String replacement : List.of("", "=", "A")) {
          String file = write(pem.substring(0, at) + replacement + pem.substring(at + 1));
          Throwable failure =
              pem.equals(certificatePem)
                  ? catchThrowable(() -> PemFile.certificates(file))
                  : catchThrowable(() -> PemFile.privateKey(file, certificate));
          if (failure != null) {
            assertThat(failure).isInstanceOf(IOException.class).hasMessageStartingWith(file);
            failures++;
          }
        }
      }
    }
    assertThat(failures).isGreaterThan(certificatePem.length());
  }

  @Test
  void certificates_damagedBlock_errorHasItsNumber() throws Exception {
    String firstHalf = caPem.substring(0, caPem.length() / 2);
    assertThatThrownBy(() -> PemFile.certificates(write(certificatePem + firstHalf)))
        .hasMessage(
            "%s: certificate 2 is cut off: it has BEGIN CERTIFICATE and no END CERTIFICATE"
                .formatted(folder.resolve("file.pem")));
    assertThatThrownBy(() -> PemFile.certificates(write(firstHalf + certificatePem)))
        .hasMessageContaining(": certificate 1 is cut off");
    assertThatThrownBy(() -> PemFile.certificates(write(certificatePem + block("CERTIFICATE"))))
        .hasMessageContaining(": certificate 2 can't be read (");
    X509Certificate certificate = PemFile.certificates(write(certificatePem)).get(0);
    assertThatThrownBy(
            () -> PemFile.privateKey(write(keyPem.substring(0, keyPem.length() / 2)), certificate))
        .hasMessageContaining(": the key is cut off");
  }
}
