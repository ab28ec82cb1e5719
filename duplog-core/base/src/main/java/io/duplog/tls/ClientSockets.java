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
 * Creates a client's TLS sockets that verify the server's name, even a name that ends in a dot.
 * Java by itself sends no SNI for a name that ends in a dot.
 */
final class ClientSockets extends SSLSocketFactory {
  private final Tls tls;
  private final @Nullable String laterHost;

  /**
   * @param laterHost host to which a socket created without a host is connected later, or null if
   *     that host is unknown
   */
  ClientSockets(Tls tls, @Nullable String laterHost) {
    this.tls = tls;
    this.laterHost = laterHost;
  }

  private SSLSocketFactory factory() throws IOException {
    return tls.context().getSocketFactory();
  }

  private SSLSocket withParameters(Socket socket, @Nullable String host) {
    SSLSocket tlsSocket = (SSLSocket) socket;
    tlsSocket.setSSLParameters(host == null ? tls.parameters() : tls.parametersFor(host));
    return tlsSocket;
  }

  @Override
  public Socket createSocket() throws IOException {
    return withParameters(factory().createSocket(), laterHost);
  }

  /**
   * Starts the handshake immediately, because a server without TLS, such as Redis, may never answer
   * it.
   */
  @Override
  public Socket createSocket(Socket plain, String host, int port, boolean autoClose)
      throws IOException {
    String name = Hosts.withoutDot(host);
    SSLSocket socket = withParameters(factory().createSocket(plain, name, port, autoClose), name);
    try {
      socket.startHandshake();
    } catch (SocketTimeoutException e) {
      throw new SSLException(TlsFailure.NO_ANSWER, e);
    }
    return socket;
  }

  @Override
  public Socket createSocket(String host, int port) throws IOException {
    return withParameters(factory().createSocket(host, port), host);
  }

  @Override
  public Socket createSocket(String host, int port, InetAddress local, int localPort)
      throws IOException {
    return withParameters(factory().createSocket(host, port, local, localPort), host);
  }

  @Override
  public Socket createSocket(InetAddress host, int port) throws IOException {
    return withParameters(factory().createSocket(host, port), null);
  }

  @Override
  public Socket createSocket(InetAddress host, int port, InetAddress local, int localPort)
      throws IOException {
    return withParameters(factory().createSocket(host, port, local, localPort), null);
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
