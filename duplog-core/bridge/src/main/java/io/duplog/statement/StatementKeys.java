package io.duplog.statement;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import io.duplog.config.ConfigException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.spec.PKCS8EncodedKeySpec;
import java.security.spec.X509EncodedKeySpec;
import java.util.Base64;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Reads the keys that sign and verify the hourly statements, from PEM files. */
public final class StatementKeys {
  private StatementKeys() {}

  private interface Maker<K> {
    K make(KeyFactory factory, byte[] encoded) throws GeneralSecurityException;
  }

  /**
   * Reads a private key.
   *
   * @throws ConfigException that names the file and the command that makes one
   */
  public static PrivateKey privateKey(Path file) throws ConfigException {
    return key(
        file,
        "PRIVATE KEY",
        "make one with openssl genpkey -algorithm ed25519 -out " + file,
        (factory, encoded) -> factory.generatePrivate(new PKCS8EncodedKeySpec(encoded)));
  }

  /**
   * Reads a public key.
   *
   * @throws ConfigException that names the file and the command that makes one
   */
  static PublicKey publicKey(Path file) throws ConfigException {
    return key(
        file,
        "PUBLIC KEY",
        "make it with openssl pkey -pubout -in PRIVATE-KEY -out " + file,
        (factory, encoded) -> factory.generatePublic(new X509EncodedKeySpec(encoded)));
  }

  private static <K> K key(Path file, String kind, String made, Maker<K> maker)
      throws ConfigException {
    byte[] encoded = read(file, kind, made);
    try {
      return maker.make(KeyFactory.getInstance("Ed25519"), encoded);
    } catch (GeneralSecurityException e) {
      throw ConfigException.at(file.toString(), 0, "", "holds a key that is not Ed25519: " + made);
    }
  }

  private static byte[] read(Path file, String kind, String made) throws ConfigException {
    Pattern pem = Pattern.compile("-----BEGIN " + kind + "-----([\\w+/=\\s]+)-----END " + kind);
    try {
      Matcher found = pem.matcher(Files.readString(file, ISO_8859_1));
      if (found.find()) {
        return Base64.getMimeDecoder().decode(found.group(1));
      }
      String problem = "holds no PEM key that begins with BEGIN " + kind + ": " + made;
      throw ConfigException.at(file.toString(), 0, "", problem);
    } catch (IllegalArgumentException e) {
      throw ConfigException.at(file.toString(), 0, "", "holds a key that is cut: " + made);
    } catch (NoSuchFileException e) {
      throw ConfigException.at(file.toString(), 0, "", "is missing: " + made);
    } catch (IOException e) {
      throw ConfigException.unreadable(file, e);
    }
  }
}
