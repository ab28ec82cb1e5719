package io.duplog.config;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.KeyStore;
import java.security.PrivateKey;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.Base64;
import java.util.Collection;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.net.ssl.KeyManager;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManager;
import javax.net.ssl.TrustManagerFactory;
import org.jspecify.annotations.Nullable;

/**
 * A section {@code tls}: whom to trust, and who we are. The other side's certificate is always
 * verified, with its chain and its name, and there is no key to switch that off.
 */
public record TlsConfig(
    @Key(
            doc =
                "PEM file with the certificates of one or more CAs. These are trusted, and no"
                    + " others; without the key, those that the Java installation trusts.",
            example = "/etc/duplog/ca.pem",
            unit = "path")
        @Nullable String ca,
    @Key(
            doc = "PEM file with our own certificate, and its chain where there is one.",
            example = "/etc/duplog/client.pem",
            unit = "path")
        @Nullable String certificate,
    @Key(
            doc = "PEM file with the certificate's private key, in PKCS#8 and not encrypted.",
            example = "/etc/duplog/client.key",
            unit = "path")
        @Nullable String key) {
  private static final Pattern PRIVATE_KEY =
      Pattern.compile("-----BEGIN PRIVATE KEY-----([A-Za-z0-9+/=\\s]+)-----END PRIVATE KEY-----");

  public TlsConfig {
    path("ca", ca);
    path("certificate", certificate);
    path("key", key);
    if (certificate != null && key == null) {
      throw Checks.refuse("key", "is missing; a certificate needs its key");
    }
    if (key != null && certificate == null) {
      throw Checks.refuse("certificate", "is missing; a key needs its certificate");
    }
  }

  private static void path(String key, @Nullable String value) {
    try {
      if (value != null && !Path.of(value).isAbsolute()) {
        throw Checks.refuse(key, "must begin with a '/', not '" + value + "'");
      }
    } catch (InvalidPathException e) {
      throw Checks.refuse(key, "must be a path");
    }
  }

  /**
   * Reads the files.
   *
   * @throws IOException whose message names the file and what is wrong with it
   */
  public SSLContext context() throws IOException {
    try {
      SSLContext context = SSLContext.getInstance("TLS");
      context.init(keys(), trust(), null);
      return context;
    } catch (GeneralSecurityException e) {
      throw new IOException("TLS can't be set up: " + e.getMessage(), e);
    }
  }

  /** Null for those of the Java installation. */
  private TrustManager @Nullable [] trust() throws IOException, GeneralSecurityException {
    if (ca == null) {
      return null;
    }
    KeyStore store = emptyStore();
    int number = 0;
    for (Certificate trusted : certificates(ca)) {
      store.setCertificateEntry("ca-" + number++, trusted);
    }
    TrustManagerFactory factory =
        TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
    factory.init(store);
    return factory.getTrustManagers();
  }

  private KeyManager @Nullable [] keys() throws IOException, GeneralSecurityException {
    if (certificate == null || key == null) {
      return null;
    }
    List<Certificate> chain = certificates(certificate);
    KeyStore store = emptyStore();
    char[] password = new char[0]; // of a store that never leaves this method
    store.setKeyEntry(
        "own", privateKey(key, chain.get(0)), password, chain.toArray(Certificate[]::new));
    KeyManagerFactory factory =
        KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
    factory.init(store, password);
    return factory.getKeyManagers();
  }

  private static KeyStore emptyStore() throws IOException, GeneralSecurityException {
    KeyStore store = KeyStore.getInstance("PKCS12");
    store.load(null, null);
    return store;
  }

  private static List<Certificate> certificates(String file) throws IOException {
    try {
      Collection<? extends Certificate> found =
          CertificateFactory.getInstance("X.509")
              .generateCertificates(new ByteArrayInputStream(read(file)));
      if (!found.isEmpty()) {
        return List.copyOf(found);
      }
    } catch (GeneralSecurityException e) {
      throw new IOException(file + " holds no PEM certificates (" + e.getMessage() + ")", e);
    }
    throw new IOException(file + " holds no PEM certificates");
  }

  private static PrivateKey privateKey(String file, Certificate owner) throws IOException {
    Matcher pem = PRIVATE_KEY.matcher(new String(read(file), ISO_8859_1));
    if (!pem.find()) {
      throw new IOException(
          file
              + " holds no unencrypted PKCS#8 key (BEGIN PRIVATE KEY);"
              + " 'openssl pkcs8 -topk8 -nocrypt' makes one");
    }
    try {
      byte[] encoded = Base64.getMimeDecoder().decode(pem.group(1));
      return KeyFactory.getInstance(owner.getPublicKey().getAlgorithm())
          .generatePrivate(new PKCS8EncodedKeySpec(encoded));
    } catch (GeneralSecurityException | IllegalArgumentException e) {
      throw new IOException(file + " is not the certificate's key", e);
    }
  }

  private static byte[] read(String file) throws IOException {
    try {
      return Files.readAllBytes(Path.of(file));
    } catch (IOException e) {
      throw new IOException(file + " can't be read (" + ConfigFile.cause(e) + ")", e);
    }
  }
}
