package io.duplog.tls;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.US_ASCII;

import io.duplog.config.ConfigFile;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.Signature;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Reads PEM files. The message of every {@link IOException} is one line that names the file and, if
 * there is one, the command that corrects it.
 */
final class PemFile {
  private static final Pattern PRIVATE_KEY =
      Pattern.compile("-----BEGIN PRIVATE KEY-----([A-Za-z0-9+/=\\s]+)-----END PRIVATE KEY-----");

  /** Matches PKCS#1, SEC 1 and encrypted keys, which Java does not read. */
  private static final Pattern OTHER_KEY =
      Pattern.compile("-----BEGIN ((RSA|EC|DSA|ENCRYPTED) PRIVATE KEY)-----");

  private PemFile() {}

  /** Reads all certificates of a file; throws if the file holds none. */
  static List<X509Certificate> certificates(String file) throws IOException {
    List<X509Certificate> found = new ArrayList<>();
    try {
      for (Certificate each :
          CertificateFactory.getInstance("X.509")
              .generateCertificates(new ByteArrayInputStream(read(file)))) {
        found.add((X509Certificate) each);
      }
    } catch (GeneralSecurityException e) {
      throw new IOException(file + " holds no PEM certificates (" + e.getMessage() + ")", e);
    }
    if (found.isEmpty()) {
      throw new IOException(file + " holds no PEM certificates");
    }
    return List.copyOf(found);
  }

  /** Reads the private key that belongs to a certificate; throws if the file does not hold it. */
  static PrivateKey privateKey(String file, X509Certificate owner) throws IOException {
    String text = new String(read(file), ISO_8859_1);
    Matcher pem = PRIVATE_KEY.matcher(text);
    if (!pem.find()) {
      Matcher other = OTHER_KEY.matcher(text);
      throw new IOException(
          other.find()
              ? "%1$s holds a key in another form (BEGIN %2$s); convert it: openssl pkcs8 -topk8 -nocrypt -in %1$s -out %1$s.pkcs8"
                  .formatted(file, other.group(1))
              : file + " holds no PEM private key (BEGIN PRIVATE KEY)");
    }
    try {
      PrivateKey key =
          KeyFactory.getInstance(owner.getPublicKey().getAlgorithm())
              .generatePrivate(
                  new PKCS8EncodedKeySpec(Base64.getMimeDecoder().decode(pem.group(1))));
      if (belong(key, owner.getPublicKey())) {
        return key;
      }
    } catch (GeneralSecurityException | IllegalArgumentException e) {
      throw notItsKey(file, owner, e);
    }
    throw notItsKey(file, owner, null);
  }

  private static IOException notItsKey(
      String file, X509Certificate owner, @Nullable Exception cause) {
    return new IOException(
        file
            + " is not the key of the certificate "
            + owner.getSubjectX500Principal().getName()
            + " (or one of the two files is not replaced yet)",
        cause);
  }

  /**
   * Whether a key belongs to a certificate, tested by a signature; a handshake would find out too
   * late.
   */
  private static boolean belong(PrivateKey key, PublicKey ofCertificate)
      throws GeneralSecurityException {
    String algorithm =
        switch (key.getAlgorithm()) {
          case "RSA" -> "SHA256withRSA";
          case "EC" -> "SHA256withECDSA";
          default -> key.getAlgorithm(); // Ed25519, Ed448
        };
    byte[] text = "duplog".getBytes(US_ASCII);
    Signature signer = Signature.getInstance(algorithm);
    signer.initSign(key);
    signer.update(text);
    byte[] signature = signer.sign();
    Signature verifier = Signature.getInstance(algorithm);
    verifier.initVerify(ofCertificate);
    verifier.update(text);
    return verifier.verify(signature);
  }

  private static byte[] read(String file) throws IOException {
    try {
      return Files.readAllBytes(Path.of(file));
    } catch (IOException e) {
      throw new IOException(file + " can't be read (" + ConfigFile.cause(e) + ")", e);
    }
  }
}
