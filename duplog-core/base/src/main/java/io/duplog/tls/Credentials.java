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
 * The private key, certificates and trusted CAs of one end of TLS connections, all read from their
 * files at the same time.
 *
 * @param alias name that distinguishes these credentials from earlier and later ones
 * @param stamps stamps of the files, taken before the files were read
 * @param key private key of this process, or null if it has no certificate
 * @param chain certificate of this process and its issuers, or an empty list if it has no
 *     certificate
 * @param trust verifies the peer's chain, and the peer's name if the connection's parameters
 *     request it
 */
record Credentials(
    String alias,
    List<String> stamps,
    @Nullable PrivateKey key,
    List<X509Certificate> chain,
    X509ExtendedTrustManager trust) {

  /** Returns a stamp for each file, which changes if the file is replaced or written to. */
  static List<String> stamps(TlsConfig files) {
    return Stream.of(files.ca(), files.certificate(), files.key())
        .filter(Objects::nonNull)
        .map(file -> ConfigFile.stamp(Path.of(file)))
        .toList();
  }

  /**
   * Reads the files.
   *
   * @throws IOException with a one-line message that names the file and its problem
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
    factory.init(ca == null ? null : keyStoreOf(ca));
    for (TrustManager each : factory.getTrustManagers()) {
      if (each instanceof X509ExtendedTrustManager found) {
        return found;
      }
    }
    throw new GeneralSecurityException("this Java installation verifies no X.509 certificates");
  }

  private static KeyStore keyStoreOf(String ca) throws IOException, GeneralSecurityException {
    KeyStore store = KeyStore.getInstance(KeyStore.getDefaultType());
    store.load(null, null);
    int index = 0;
    for (X509Certificate trusted : PemFile.certificates(ca)) {
      store.setCertificateEntry("ca-" + index++, trusted);
    }
    return store;
  }
}
