package io.duplog.tls;

import java.security.SecureRandom;
import javax.net.ssl.KeyManager;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLContextSpi;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLServerSocketFactory;
import javax.net.ssl.SSLSessionContext;
import javax.net.ssl.SSLSocketFactory;
import javax.net.ssl.TrustManager;
import org.jspecify.annotations.Nullable;

/**
 * Makes TLS connections verify a given host name, even if they are opened to the host's IP address.
 * Java verifies the name for which an engine is created. Java's HTTP client creates an engine for
 * the host in the URL, which may be an address.
 */
final class NamedContext extends SSLContextSpi {
  private final SSLContext context;
  private final String host;

  private NamedContext(SSLContext context, String host) {
    this.context = context;
    this.host = host;
  }

  static SSLContext of(SSLContext context, String host) {
    return new SSLContext(
        new NamedContext(context, host), context.getProvider(), context.getProtocol()) {};
  }

  @Override
  protected SSLEngine engineCreateSSLEngine(String ignored, int port) {
    return context.createSSLEngine(host, port);
  }

  @Override
  protected SSLEngine engineCreateSSLEngine() {
    throw new UnsupportedOperationException("without a port");
  }

  @Override
  protected void engineInit(
      KeyManager @Nullable [] keys,
      TrustManager @Nullable [] trust,
      @Nullable SecureRandom random) {
    throw new UnsupportedOperationException("the context is initialised already");
  }

  @Override
  protected SSLSocketFactory engineGetSocketFactory() {
    throw new UnsupportedOperationException("engines only");
  }

  @Override
  protected SSLServerSocketFactory engineGetServerSocketFactory() {
    throw new UnsupportedOperationException("engines only");
  }

  @Override
  protected SSLSessionContext engineGetServerSessionContext() {
    return context.getServerSessionContext();
  }

  @Override
  protected SSLSessionContext engineGetClientSessionContext() {
    return context.getClientSessionContext();
  }
}
