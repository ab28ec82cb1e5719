package io.duplog.tls;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.math.BigInteger;
import java.net.InetAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.Signature;
import java.security.spec.ECGenParameterSpec;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.Locale;
import java.util.UUID;
import javax.security.auth.x500.X500Principal;

/**
 * A CA made on the spot, in memory and in milliseconds, and what it signs, as PEM files of a
 * folder. Java can sign and has no public way to write a certificate, hence the DER here; that the
 * servers of the tests accept them shows that it is right.
 */
public final class Authority {
  private static final int SEQUENCE = 0x30;
  private static final byte[] ECDSA_WITH_SHA256 = der(SEQUENCE, oid(42, 134, 72, 206, 61, 4, 3, 2));
  private static final byte[] TRUE = {1, 1, (byte) 0xff};

  private final Path folder;
  private final String name;
  private final KeyPair keys = newKeys();

  /** With its own certificate in {@code NAME.pem}. */
  public Authority(Path folder, String name) {
    this.folder = folder;
    this.name = name;
    write(name + ".pem", "CERTIFICATE", signed(name, keys, valid(), List.of(), true));
  }

  /** From when until when. */
  private record Validity(Instant from, Instant to) {}

  private static Validity valid() {
    return new Validity(Instant.now().minusSeconds(3600), Instant.now().plus(Duration.ofDays(2)));
  }

  /**
   * Signs a certificate, into {@code NAME.pem} and {@code NAME.key}.
   *
   * @param names host names and addresses that it is for
   */
  public Authority issue(String file, String... names) {
    return issue(file, valid(), names);
  }

  /** One that was valid until yesterday. */
  public Authority issueExpired(String file, String... names) {
    Instant yesterday = Instant.now().minus(Duration.ofDays(1));
    return issue(file, new Validity(yesterday.minus(Duration.ofDays(9)), yesterday), names);
  }

  private Authority issue(String file, Validity validity, String... names) {
    KeyPair own = newKeys();
    write(file + ".pem", "CERTIFICATE", signed(file, own, validity, List.of(names), false));
    write(file + ".key", "PRIVATE KEY", own.getPrivate().getEncoded());
    return this;
  }

  public String name() {
    return name;
  }

  /** What a file holds. */
  public String text(String file) {
    try {
      return Files.readString(folder.resolve(file));
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }

  /** Gives a server what was issued under a name: {@code ca.pem, server.pem, server.key}. */
  public void copyTo(Path server, String file) {
    try {
      Files.createDirectories(server);
      Files.writeString(server.resolve("ca.pem"), text(name + ".pem"));
      Files.writeString(server.resolve("server.pem"), text(file + ".pem"));
      Files.writeString(server.resolve("server.key"), text(file + ".key"));
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }

  /** The path of a file. */
  public String path(String file) {
    return folder.resolve(file).toString();
  }

  /** A client's section: trusts this CA, and shows what was issued under this name. */
  public TlsConfig client(String file) {
    return new TlsConfig(path(name + ".pem"), path(file + ".pem"), path(file + ".key"));
  }

  /** A client's section without a certificate of its own. */
  public TlsConfig client() {
    return new TlsConfig(path(name + ".pem"), null, null);
  }

  /** A server's section; it asks for no certificate. */
  public ServerTlsConfig server(String file) {
    return new ServerTlsConfig(path(file + ".pem"), path(file + ".key"), null);
  }

  /** A server's section that demands a certificate of this CA. */
  public ServerTlsConfig demandingServer(String file) {
    return new ServerTlsConfig(path(file + ".pem"), path(file + ".key"), path(name + ".pem"));
  }

  private byte[] signed(
      String subject, KeyPair owner, Validity validity, List<String> names, boolean ca) {
    byte[] body =
        der(
            SEQUENCE,
            der(0xa0, integer(BigInteger.TWO)),
            integer(new BigInteger(UUID.randomUUID().toString().replace("-", ""), 16)),
            ECDSA_WITH_SHA256,
            new X500Principal("CN=" + name).getEncoded(),
            der(SEQUENCE, time(validity.from()), time(validity.to())),
            new X500Principal("CN=" + subject).getEncoded(),
            owner.getPublic().getEncoded(),
            der(0xa3, der(SEQUENCE, ca ? basicConstraints() : alternativeNames(names))));
    try {
      Signature signature = Signature.getInstance("SHA256withECDSA");
      signature.initSign(keys.getPrivate());
      signature.update(body);
      return der(SEQUENCE, body, ECDSA_WITH_SHA256, der(3, new byte[] {0}, signature.sign()));
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException(e);
    }
  }

  private static byte[] basicConstraints() {
    return der(SEQUENCE, oid(85, 29, 19), TRUE, der(4, der(SEQUENCE, TRUE)));
  }

  private static byte[] alternativeNames(List<String> names) {
    byte[][] each = names.stream().map(Authority::alternativeName).toArray(byte[][]::new);
    // A client's certificate needs none, and an empty list is not allowed.
    return each.length == 0
        ? der(SEQUENCE, oid(85, 29, 19), der(4, der(SEQUENCE)))
        : der(SEQUENCE, oid(85, 29, 17), der(4, der(SEQUENCE, each)));
  }

  private static byte[] alternativeName(String text) {
    try {
      return text.matches("[0-9.]+")
          ? der(0x87, InetAddress.getByName(text).getAddress())
          : der(0x82, text.getBytes(US_ASCII));
    } catch (IOException e) {
      throw new IllegalArgumentException(text, e);
    }
  }

  private static byte[] time(Instant instant) {
    String text =
        DateTimeFormatter.ofPattern("yyyyMMddHHmmss'Z'", Locale.ROOT)
            .withZone(ZoneOffset.UTC)
            .format(instant);
    // UTCTime, as RFC 5280 wants it until 2049: without the century
    return der(0x17, text.substring(2).getBytes(US_ASCII));
  }

  private static byte[] integer(BigInteger value) {
    return der(2, value.toByteArray());
  }

  private static byte[] oid(int... bytes) {
    byte[] content = new byte[bytes.length];
    for (int i = 0; i < bytes.length; i++) {
      content[i] = (byte) bytes[i];
    }
    return der(6, content);
  }

  private static byte[] der(int tag, byte[]... contents) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    int length = Arrays.stream(contents).mapToInt(content -> content.length).sum();
    out.write(tag);
    if (length < 0x80) {
      out.write(length);
    } else {
      byte[] digits = BigInteger.valueOf(length).toByteArray();
      int from = digits[0] == 0 ? 1 : 0;
      out.write(0x80 | (digits.length - from));
      out.write(digits, from, digits.length - from);
    }
    for (byte[] content : contents) {
      out.writeBytes(content);
    }
    return out.toByteArray();
  }

  private static KeyPair newKeys() {
    try {
      KeyPairGenerator generator = KeyPairGenerator.getInstance("EC");
      generator.initialize(new ECGenParameterSpec("secp256r1"));
      return generator.generateKeyPair();
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException(e);
    }
  }

  /** At once, as a careful administrator replaces a file. */
  private void write(String file, String type, byte[] der) {
    String text = Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(der);
    try {
      Path made = Files.createTempFile(folder, file, ".new");
      Files.writeString(
          made, "-----BEGIN " + type + "-----\n" + text + "\n-----END " + type + "-----\n");
      Files.move(
          made,
          folder.resolve(file),
          StandardCopyOption.ATOMIC_MOVE,
          StandardCopyOption.REPLACE_EXISTING);
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }
}
