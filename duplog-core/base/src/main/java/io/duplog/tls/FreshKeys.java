package io.duplog.tls;

import java.net.Socket;
import java.security.Principal;
import java.security.PrivateKey;
import java.security.cert.X509Certificate;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.X509ExtendedKeyManager;
import org.jspecify.annotations.Nullable;

/**
 * Shows this process's only certificate, as its file is at the time of the handshake. Shows the
 * certificate whatever CAs the other side names. If they don't fit, the other side's error says so.
 * If no certificate were shown, the error would only say that one is missing.
 */
@SuppressWarnings("NullAway") // JSSE's contract: null stands for none
final class FreshKeys extends X509ExtendedKeyManager {
  private final Tls tls;

  FreshKeys(Tls tls) {
    this.tls = tls;
  }

  private @Nullable String alias(String... keyTypes) {
    Credentials now = tls.current();
    if (now != null && now.key() != null) {
      for (String type : keyTypes) {
        if (type.equals(now.key().getAlgorithm())) {
          return now.alias();
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
    return null; // a handshake asks only which alias to take
  }

  @Override
  public String @Nullable [] getServerAliases(String keyType, Principal @Nullable [] issuers) {
    return null;
  }

  @Override
  public X509Certificate @Nullable [] getCertificateChain(String alias) {
    Credentials chosen = tls.byAlias(alias);
    return chosen == null ? null : chosen.chain().toArray(X509Certificate[]::new);
  }

  @Override
  public @Nullable PrivateKey getPrivateKey(String alias) {
    Credentials chosen = tls.byAlias(alias);
    return chosen == null ? null : chosen.key();
  }
}
