package io.duplog.tls;

import java.net.Socket;
import java.security.Principal;
import java.security.PrivateKey;
import java.security.cert.X509Certificate;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.X509ExtendedKeyManager;
import org.jspecify.annotations.Nullable;

/**
 * Presents this program's certificate in each TLS handshake, as its file contains it at that time.
 * Presents the certificate even if it is not from a CA that the peer lists. The peer's error then
 * names this mismatch; without a certificate it would only report a missing one.
 */
@SuppressWarnings("NullAway") // in JSSE, null means "none"
final class FreshKeys extends X509ExtendedKeyManager {
  private final Tls tls;

  FreshKeys(Tls tls) {
    this.tls = tls;
  }

  private @Nullable String alias(String... keyTypes) {
    Credentials credentials = tls.current();
    if (credentials != null && credentials.key() != null) {
      for (String type : keyTypes) {
        if (type.equals(credentials.key().getAlgorithm())) {
          return credentials.alias();
        }
      }
    }
    return null;
  }

  @Override
  public @Nullable String chooseClientAlias(
      String[] keyTypes, Principal @Nullable [] issuers, @Nullable Socket socket) {
    tls.markAsked();
    return alias(keyTypes);
  }

  @Override
  public @Nullable String chooseEngineClientAlias(
      String[] keyTypes, Principal @Nullable [] issuers, @Nullable SSLEngine engine) {
    tls.markAsked();
    return alias(keyTypes);
  }

  @Override
  public @Nullable String chooseServerAlias(
      String keyType, Principal @Nullable [] issuers, @Nullable Socket socket) {
    return alias(keyType);
  }

  @Override
  public @Nullable String chooseEngineServerAlias(
      String keyType, Principal @Nullable [] issuers, @Nullable SSLEngine engine) {
    return alias(keyType);
  }

  @Override
  public String @Nullable [] getClientAliases(String keyType, Principal @Nullable [] issuers) {
    return null; // a handshake calls only the methods that choose an alias
  }

  @Override
  public String @Nullable [] getServerAliases(String keyType, Principal @Nullable [] issuers) {
    return null;
  }

  @Override
  public X509Certificate @Nullable [] getCertificateChain(String alias) {
    Credentials credentials = tls.byAlias(alias);
    return credentials == null ? null : credentials.chain().toArray(X509Certificate[]::new);
  }

  @Override
  public @Nullable PrivateKey getPrivateKey(String alias) {
    Credentials credentials = tls.byAlias(alias);
    return credentials == null ? null : credentials.key();
  }
}
