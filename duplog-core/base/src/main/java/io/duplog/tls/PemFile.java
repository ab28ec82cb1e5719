package io.duplog.tls;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.nio.charset.StandardCharsets.UTF_16;
import static java.util.stream.Collectors.joining;

import io.duplog.config.ConfigFile;
import io.duplog.observe.Printable;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.Charset;
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
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Reads PEM files. The message of every {@link IOException} is one line that names the file and, if
 * there is one, the command that corrects it.
 */
final class PemFile {
  private static final Pattern BEGIN = Pattern.compile("-----BEGIN ([^-\\r\\n]+)-----");

  /** Labels of blocks with certificates; the latter two hold several. */
  private static final Set<String> CERTIFICATES =
      Set.of("CERTIFICATE", "X509 CERTIFICATE", "PKCS7", "CMS");

  private static final String KEY = "PRIVATE KEY";
  private static final String CERTIFICATE_CHECK = "x509 -noout -in ";
  private static final String KEY_CHECK = "pkey -noout -in ";

  /** First byte of a certificate that is not in PEM. */
  private static final byte DER_SEQUENCE = 0x30;

  /** Matches PKCS#1, SEC 1 and other keys, which Java does not read. */
  private static final Pattern OTHER_KEY = Pattern.compile("(RSA|EC|DSA|ANY) PRIVATE KEY");

  /**
   * A block of a PEM file.
   *
   * @param label such as {@code CERTIFICATE}
   * @param text what stands between its first and its last line
   * @param isWhole whether its last line is there
   */
  private record Block(String label, String text, boolean isWhole) {
    /**
     * Returns what the text stands for.
     *
     * @param which names the file and the block
     * @param check arguments with which openssl reads such a block of a file
     */
    byte[] bytes(String which, String check) throws IOException {
      if (!isWhole) {
        throw new IOException(
            "%s is cut off: it has BEGIN %s and no END %s".formatted(which, label, label));
      }
      try {
        return Base64.getMimeDecoder().decode(text);
      } catch (IllegalArgumentException e) {
        throw unreadable(which, "its base64 is damaged: " + e.getMessage(), check, e);
      }
    }

    boolean isEncrypted() {
      return label.equals("ENCRYPTED PRIVATE KEY") || text.contains("Proc-Type: 4,ENCRYPTED");
    }
  }

  private PemFile() {}

  /**
   * Reads all certificates of a file, and skips what else it holds; throws if the file holds none.
   */
  static List<X509Certificate> certificates(String file) throws IOException {
    byte[] content = read(file);
    List<Block> blocks = blocks(content);
    if (blocks.isEmpty() && content.length > 0 && content[0] == DER_SEQUENCE) {
      return parsed(content, file, file); // not PEM, but Java reads it as well
    }
    List<X509Certificate> found = new ArrayList<>();
    for (Block block : blocks) {
      if (CERTIFICATES.contains(block.label)) {
        String which = file + ": certificate " + (found.size() + 1);
        found.addAll(parsed(block.bytes(which, CERTIFICATE_CHECK + file), file, which));
      }
    }
    if (found.isEmpty()) {
      boolean isTrusted = blocks.stream().anyMatch(each -> each.label.startsWith("TRUSTED CERT"));
      throw new IOException(
          missing(file, "certificates (BEGIN CERTIFICATE)", blocks)
              + (isTrusted ? "; convert it: openssl x509 -in " + file + " -out NEW.pem" : ""));
    }
    return List.copyOf(found);
  }

  private static List<X509Certificate> parsed(byte[] der, String file, String which)
      throws IOException {
    List<X509Certificate> found = new ArrayList<>();
    try {
      for (Certificate each :
          CertificateFactory.getInstance("X.509")
              .generateCertificates(new ByteArrayInputStream(der))) {
        found.add((X509Certificate) each);
      }
    } catch (GeneralSecurityException e) {
      throw unreadable(which, String.valueOf(e.getMessage()), CERTIFICATE_CHECK + file, e);
    }
    if (found.isEmpty()) {
      throw unreadable(which, "it is empty", CERTIFICATE_CHECK + file, null);
    }
    return found;
  }

  private static IOException unreadable(
      String which, String why, String check, @Nullable Exception cause) {
    return new IOException(
        "%s can't be read (%s): copy it again; 'openssl %s' must accept it"
            .formatted(which, why, check),
        cause);
  }

  /** Says that a file holds nothing of a kind, and what it holds instead. */
  private static String missing(String file, String what, List<Block> blocks) {
    String labels = blocks.stream().map(Block::label).distinct().collect(joining(", "));
    return "%s holds no PEM %s%s"
        .formatted(file, what, labels.isEmpty() ? "" : "; it holds " + Printable.of(labels));
  }

  /** Returns the file's blocks. A block ends with its last line, or before another one begins. */
  private static List<Block> blocks(byte[] content) {
    String text = new String(content, charset(content));
    List<Block> blocks = new ArrayList<>();
    Matcher begin = BEGIN.matcher(text);
    for (int from = 0; begin.find(from); ) {
      int start = begin.end();
      String label = begin.group(1).strip();
      int next = text.indexOf("-----BEGIN ", start);
      int end = text.indexOf("-----END " + label + "-----", start);
      boolean isWhole = end >= 0 && (next < 0 || end < next);
      from = isWhole ? end : next < 0 ? text.length() : next;
      blocks.add(new Block(label, text.substring(start, from), isWhole));
    }
    return blocks;
  }

  /** Windows writes UTF-16 with a mark that says so. */
  private static Charset charset(byte[] content) {
    boolean marked =
        content.length > 1
            && ((content[0] == (byte) 0xff && content[1] == (byte) 0xfe)
                || (content[0] == (byte) 0xfe && content[1] == (byte) 0xff));
    return marked ? UTF_16 : ISO_8859_1;
  }

  /**
   * Reads the private key that belongs to a certificate, which may be one of several in the file;
   * throws if the file does not hold it.
   */
  static PrivateKey privateKey(String file, X509Certificate owner) throws IOException {
    List<Block> blocks = blocks(read(file));
    List<Block> keys = blocks.stream().filter(each -> each.label.equals(KEY)).toList();
    if (keys.isEmpty()) {
      throw new IOException(noKey(file, blocks));
    }
    IOException damage = null; // matters only if no other block is the key
    Exception failure = null;
    for (Block block : keys) {
      try {
        byte[] encoded = block.bytes(file + ": the key", KEY_CHECK + file);
        PrivateKey key =
            KeyFactory.getInstance(owner.getPublicKey().getAlgorithm())
                .generatePrivate(new PKCS8EncodedKeySpec(encoded));
        if (belong(key, owner.getPublicKey())) {
          return key;
        }
      } catch (IOException e) {
        damage = e;
      } catch (GeneralSecurityException | IllegalArgumentException e) {
        failure = e;
      }
    }
    throw damage != null ? damage : notItsKey(file, owner, failure);
  }

  private static String noKey(String file, List<Block> blocks) {
    for (Block block : blocks) {
      if (block.isEncrypted()) {
        return "%1$s holds a key that is encrypted (BEGIN %2$s), and nobody is there to type its passphrase; decrypt it: openssl pkcs8 -topk8 -nocrypt -in %1$s -out %1$s.pkcs8"
            .formatted(file, block.label);
      }
      if (OTHER_KEY.matcher(block.label).matches()) {
        return "%1$s holds a key in another form (BEGIN %2$s); convert it: openssl pkcs8 -topk8 -nocrypt -in %1$s -out %1$s.pkcs8"
            .formatted(file, block.label);
      }
      if (block.label.equals("OPENSSH PRIVATE KEY")) {
        return "%1$s holds a key of ssh (BEGIN %2$s), which is for no certificate"
            .formatted(file, block.label);
      }
    }
    return missing(file, "private key (BEGIN PRIVATE KEY)", blocks);
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
