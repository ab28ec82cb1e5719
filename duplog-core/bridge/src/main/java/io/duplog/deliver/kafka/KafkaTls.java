package io.duplog.deliver.kafka;

import io.duplog.tls.Tls;
import io.duplog.tls.TlsConfig;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.security.KeyStore;
import java.util.Map;
import java.util.Set;
import javax.net.ssl.SSLEngine;
import org.apache.kafka.common.security.auth.SslEngineFactory;
import org.jspecify.annotations.Nullable;

/**
 * Makes Kafka's client use this program's TLS, which reads replaced files again. The client creates
 * it by its class, and passes its own settings, among which is the {@link Tls} to use.
 */
public final class KafkaTls implements SslEngineFactory {
  /** The name of the client's setting that has the {@link Tls}. */
  static final String SETTING = "duplog.tls";

  private @Nullable Tls tls;

  static Tls of(String hop, TlsConfig files) {
    return Tls.ofClient(hop, files);
  }

  @Override
  public void configure(Map<String, ?> settings) {
    tls = (Tls) settings.get(SETTING);
  }

  @Override
  public SSLEngine createClientSslEngine(String host, int port, String endpointIdentification) {
    Tls configured = tls;
    if (configured == null) {
      throw new IllegalStateException("the client was made without " + SETTING);
    }
    try {
      SSLEngine engine = configured.contextFor(host).createSSLEngine(host, port);
      engine.setUseClientMode(true);
      engine.setSSLParameters(configured.parametersFor(host));
      return engine;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public SSLEngine createServerSslEngine(String host, int port) {
    throw new IllegalStateException("this program is a client of Kafka");
  }

  /** Files are read again at each handshake, so the client never needs another factory. */
  @Override
  public boolean shouldBeRebuilt(Map<String, Object> nextSettings) {
    return false;
  }

  @Override
  public Set<String> reconfigurableConfigs() {
    return Set.of();
  }

  @Override
  public @Nullable KeyStore keystore() {
    return null;
  }

  @Override
  public @Nullable KeyStore truststore() {
    return null;
  }

  @Override
  public void close() {}
}
