package io.duplog.tls;

import io.duplog.config.Hosts;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.SSLSocketFactory;
import org.jspecify.annotations.Nullable;

/**
 * Creates client sockets on which {@link Tls#parametersFor} their host are already set. Java sends
 * no SNI by itself for a name that ends in a dot.
 */
final class ClientSockets extends SSLSocketFactory {
  private final Tls tls;
  private final @Nullable String laterHost;

  /**
   * @param laterHost what a socket without a host is connected to later; null if that is unknown
   */
  ClientSockets(Tls tls, @Nullable String laterHost) {
    this.tls = tls;
    this.laterHost = laterHost;
  }

  private SSLSocketFactory factory() throws IOException {
    return tls.context().getSocketFactory();
  }

  private SSLSocket prepared(Socket socket, @Nullable String host) {
    SSLSocket encrypted = (SSLSocket) socket;
    encrypted.setSSLParameters(host == null ? tls.parameters() : tls.parametersFor(host));
    return encrypted;
  }

  @Override
  public Socket createSocket() throws IOException {
    return prepared(factory().createSocket(), laterHost);
  }

  /**
   * Begins the handshake at once, because a server without TLS, such as Redis, may never answer it.
   */
  @Override
  public Socket createSocket(Socket plain, String host, int port, boolean autoClose)
      throws IOException {
    String named = Hosts.withoutDot(host);
    SSLSocket socket = prepared(factory().createSocket(plain, named, port, autoClose), named);
    try {
      socket.startHandshake();
    } catch (SocketTimeoutException e) {
      throw new SSLException(TlsFailure.SILENT, e);
    }
    return socket;
  }

  @Override
  public Socket createSocket(String host, int port) throws IOException {
    return prepared(factory().createSocket(host, port), host);
  }

  @Override
  public Socket createSocket(String host, int port, InetAddress local, int localPort)
      throws IOException {
    return prepared(factory().createSocket(host, port, local, localPort), host);
  }

  @Override
  public Socket createSocket(InetAddress host, int port) throws IOException {
    return prepared(factory().createSocket(host, port), null);
  }

  @Override
  public Socket createSocket(InetAddress host, int port, InetAddress local, int localPort)
      throws IOException {
    return prepared(factory().createSocket(host, port, local, localPort), null);
  }

  @Override
  public String[] getDefaultCipherSuites() {
    return tls.parametersOfJava().getCipherSuites();
  }

  @Override
  public String[] getSupportedCipherSuites() {
    return tls.parametersOfJava().getCipherSuites();
  }
}
