package io.duplog.tls;

import io.duplog.config.ConfigFile;
import java.io.IOException;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.PrivateKey;
import java.security.cert.X509Certificate;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import javax.net.ssl.TrustManager;
import javax.net.ssl.TrustManagerFactory;
import javax.net.ssl.X509ExtendedTrustManager;
import org.jspecify.annotations.Nullable;

/**
 * Content of the files that a section {@code tls} names, as read at one time.
 *
 * @param alias name that tells these credentials from earlier and later ones
 * @param stamps stamps of the files, taken before they were read
 * @param key null if this process has no certificate
 * @param chain this process's certificate first; empty if it has none
 * @param trust verifies the other side's chain, and its name if the connection asks for that
 */
record Credentials(
    String alias,
    List<String> stamps,
    @Nullable PrivateKey key,
    List<X509Certificate> chain,
    X509ExtendedTrustManager trust) {

  /** Returns a text for each file, which changes if the file is replaced or written to. */
  static List<String> stamps(TlsConfig files) {
    return Stream.of(files.ca(), files.certificate(), files.key())
        .filter(Objects::nonNull)
        .map(file -> ConfigFile.stamp(Path.of(file)))
        .toList();
  }

  /**
   * Reads the files.
   *
   * @throws IOException with a message of one line that names the file and what is wrong with it
   */
  static Credentials read(TlsConfig source, String alias) throws IOException {
    List<String> stamps = stamps(source);
    try {
      X509ExtendedTrustManager trust = trust(source.ca());
      if (source.certificate() == null || source.key() == null) {
        return new Credentials(alias, stamps, null, List.of(), trust);
      }
      List<X509Certificate> chain = PemFile.certificates(source.certificate());
      PrivateKey key = PemFile.privateKey(source.key(), chain.get(0));
      return new Credentials(alias, stamps, key, chain, trust);
    } catch (GeneralSecurityException e) {
      throw new IOException("TLS can't be set up: " + e.getMessage(), e);
    }
  }

  private static X509ExtendedTrustManager trust(@Nullable String ca)
      throws IOException, GeneralSecurityException {
    TrustManagerFactory factory =
        TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
    factory.init(ca == null ? null : anchors(ca));
    for (TrustManager each : factory.getTrustManagers()) {
      if (each instanceof X509ExtendedTrustManager found) {
        return found;
      }
    }
    throw new GeneralSecurityException("this Java installation verifies no X.509 certificates");
  }

  private static KeyStore anchors(String ca) throws IOException, GeneralSecurityException {
    KeyStore store = KeyStore.getInstance(KeyStore.getDefaultType());
    store.load(null, null);
    int number = 0;
    for (X509Certificate trusted : PemFile.certificates(ca)) {
      store.setCertificateEntry("ca-" + number++, trusted);
    }
    return store;
  }
}
