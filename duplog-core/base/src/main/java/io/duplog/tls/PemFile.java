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
 * Reads certificates and private keys from PEM files, and explains damaged ones to the operator.
 * The message of every {@link IOException} is one line that names the file and, if possible, the
 * command that corrects the file.
 */
final class PemFile {
  private static final Pattern BEGIN_LINE = Pattern.compile("-----BEGIN ([^-\\r\\n]+)-----");

  /**
   * Labels of blocks with certificates. A block with one of the last two labels contains several
   * certificates.
   */
  private static final Set<String> CERTIFICATE_LABELS =
      Set.of("CERTIFICATE", "X509 CERTIFICATE", "PKCS7", "CMS");

  private static final String KEY_LABEL = "PRIVATE KEY";
  private static final String CERTIFICATE_CHECK = "x509 -noout -in ";
  private static final String KEY_CHECK = "pkey -noout -in ";

  /** First byte of a certificate that is not in PEM. */
  private static final byte DER_SEQUENCE = 0x30;

  /** Matches the labels of PKCS#1, SEC 1 and other keys, which Java can't read. */
  private static final Pattern UNSUPPORTED_KEY_LABEL =
      Pattern.compile("(RSA|EC|DSA|ANY) PRIVATE KEY");

  /**
   * A block of a PEM file.
   *
   * @param label label in the block's first line, such as {@code CERTIFICATE}
   * @param text text between the first and the last line
   * @param isComplete whether the block has its last line
   */
  private record Block(String label, String text, boolean isComplete) {
    /**
     * Decodes the block's base64 text.
     *
     * @param location file and block, for an error message
     * @param check arguments of openssl for checking such a block in a file
     */
    byte[] bytes(String location, String check) throws IOException {
      if (!isComplete) {
        throw new IOException(
            "%s is cut off: it has BEGIN %s and no END %s".formatted(location, label, label));
      }
      try {
        return Base64.getMimeDecoder().decode(text);
      } catch (IllegalArgumentException e) {
        throw unreadable(location, "its base64 is damaged: " + e.getMessage(), check, e);
      }
    }

    boolean isEncrypted() {
      return label.equals("ENCRYPTED PRIVATE KEY") || text.contains("Proc-Type: 4,ENCRYPTED");
    }
  }

  private PemFile() {}

  /**
   * Reads all certificates of a file, and ignores its other content. Throws an exception if the
   * file contains no certificate.
   */
  static List<X509Certificate> certificates(String file) throws IOException {
    byte[] content = read(file);
    List<Block> blocks = blocks(content);
    if (blocks.isEmpty() && content.length > 0 && content[0] == DER_SEQUENCE) {
      return parse(content, file, file); // DER instead of PEM, which Java reads, too
    }
    List<X509Certificate> certificates = new ArrayList<>();
    for (Block block : blocks) {
      if (CERTIFICATE_LABELS.contains(block.label)) {
        String location = file + ": certificate " + (certificates.size() + 1);
        certificates.addAll(parse(block.bytes(location, CERTIFICATE_CHECK + file), file, location));
      }
    }
    if (certificates.isEmpty()) {
      boolean isTrusted = blocks.stream().anyMatch(each -> each.label.startsWith("TRUSTED CERT"));
      throw new IOException(
          messageWithoutBlock(file, "certificates (BEGIN CERTIFICATE)", blocks)
              + (isTrusted ? "; convert it: openssl x509 -in " + file + " -out NEW.pem" : ""));
    }
    return List.copyOf(certificates);
  }

  private static List<X509Certificate> parse(byte[] der, String file, String location)
      throws IOException {
    List<X509Certificate> certificates = new ArrayList<>();
    try {
      for (Certificate each :
          CertificateFactory.getInstance("X.509")
              .generateCertificates(new ByteArrayInputStream(der))) {
        certificates.add((X509Certificate) each);
      }
    } catch (GeneralSecurityException e) {
      throw unreadable(location, String.valueOf(e.getMessage()), CERTIFICATE_CHECK + file, e);
    }
    if (certificates.isEmpty()) {
      throw unreadable(location, "it is empty", CERTIFICATE_CHECK + file, null);
    }
    return certificates;
  }

  private static IOException unreadable(
      String location, String reason, String check, @Nullable Exception cause) {
    return new IOException(
        "%s can't be read (%s): copy it again; 'openssl %s' must accept it"
            .formatted(location, reason, check),
        cause);
  }

  /** Returns a message that a file has no block of a kind, with the kinds that it has. */
  private static String messageWithoutBlock(String file, String what, List<Block> blocks) {
    String labels = blocks.stream().map(Block::label).distinct().collect(joining(", "));
    return "%s holds no PEM %s%s"
        .formatted(file, what, labels.isEmpty() ? "" : "; it holds " + Printable.of(labels));
  }

  /** Returns the file's blocks. A block ends with its last line, or where the next block begins. */
  private static List<Block> blocks(byte[] content) {
    String text = new String(content, charset(content));
    List<Block> blocks = new ArrayList<>();
    Matcher begin = BEGIN_LINE.matcher(text);
    for (int position = 0; begin.find(position); ) {
      int start = begin.end();
      String label = begin.group(1).strip();
      int next = text.indexOf("-----BEGIN ", start);
      int end = text.indexOf("-----END " + label + "-----", start);
      boolean isComplete = end >= 0 && (next < 0 || end < next);
      position = isComplete ? end : next < 0 ? text.length() : next;
      blocks.add(new Block(label, text.substring(start, position), isComplete));
    }
    return blocks;
  }

  /**
   * Returns UTF-16 if the file has a byte order mark of UTF-16, as Windows writes it; otherwise ISO
   * 8859-1.
   */
  private static Charset charset(byte[] content) {
    boolean hasByteOrderMark =
        content.length > 1
            && ((content[0] == (byte) 0xff && content[1] == (byte) 0xfe)
                || (content[0] == (byte) 0xfe && content[1] == (byte) 0xff));
    return hasByteOrderMark ? UTF_16 : ISO_8859_1;
  }

  /**
   * Reads the private key of a certificate. The file may contain several keys. Throws an exception
   * if it does not contain the key of this certificate.
   */
  static PrivateKey privateKey(String file, X509Certificate owner) throws IOException {
    List<Block> blocks = blocks(read(file));
    List<Block> keys = blocks.stream().filter(each -> each.label.equals(KEY_LABEL)).toList();
    if (keys.isEmpty()) {
      throw new IOException(messageWithoutKey(file, blocks));
    }
    IOException damagedBlock = null; // thrown only if no other block contains the key
    Exception failure = null;
    for (Block block : keys) {
      try {
        byte[] encoded = block.bytes(file + ": the key", KEY_CHECK + file);
        PrivateKey key =
            KeyFactory.getInstance(owner.getPublicKey().getAlgorithm())
                .generatePrivate(new PKCS8EncodedKeySpec(encoded));
        if (isKeyOf(key, owner.getPublicKey())) {
          return key;
        }
      } catch (IOException e) {
        damagedBlock = e;
      } catch (GeneralSecurityException | IllegalArgumentException e) {
        failure = e;
      }
    }
    throw damagedBlock != null ? damagedBlock : wrongKey(file, owner, failure);
  }

  private static String messageWithoutKey(String file, List<Block> blocks) {
    for (Block block : blocks) {
      if (block.isEncrypted()) {
        return "%1$s holds a key that is encrypted (BEGIN %2$s), and nobody is there to type its passphrase; decrypt it: openssl pkcs8 -topk8 -nocrypt -in %1$s -out %1$s.pkcs8"
            .formatted(file, block.label);
      }
      if (UNSUPPORTED_KEY_LABEL.matcher(block.label).matches()) {
        return "%1$s holds a key in another form (BEGIN %2$s); convert it: openssl pkcs8 -topk8 -nocrypt -in %1$s -out %1$s.pkcs8"
            .formatted(file, block.label);
      }
      if (block.label.equals("OPENSSH PRIVATE KEY")) {
        return "%1$s holds a key of ssh (BEGIN %2$s), which is for no certificate"
            .formatted(file, block.label);
      }
    }
    return messageWithoutBlock(file, "private key (BEGIN PRIVATE KEY)", blocks);
  }

  private static IOException wrongKey(
      String file, X509Certificate owner, @Nullable Exception cause) {
    return new IOException(
        file
            + " is not the key of the certificate "
            + owner.getSubjectX500Principal().getName()
            + " (or one of the two files is not replaced yet)",
        cause);
  }

  /**
   * Whether a key belongs to a certificate; tested with a signature, because a handshake would show
   * it too late.
   */
  private static boolean isKeyOf(PrivateKey key, PublicKey publicKey)
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
    verifier.initVerify(publicKey);
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
