package io.duplog.tls;

import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.SSLSocketFactory;

/** Creates client sockets on which {@link Tls#parameters} are already set. */
final class ClientSockets extends SSLSocketFactory {
  private final Tls tls;

  ClientSockets(Tls tls) {
    this.tls = tls;
  }

  private SSLSocketFactory factory() throws IOException {
    return tls.context().getSocketFactory();
  }

  private SSLSocket prepared(Socket socket) {
    SSLSocket encrypted = (SSLSocket) socket;
    encrypted.setSSLParameters(tls.parameters());
    return encrypted;
  }

  @Override
  public Socket createSocket() throws IOException {
    return prepared(factory().createSocket());
  }

  /**
   * Begins the handshake at once, because a server without TLS, such as Redis, may never answer it.
   */
  @Override
  public Socket createSocket(Socket plain, String host, int port, boolean autoClose)
      throws IOException {
    SSLSocket socket = prepared(factory().createSocket(plain, host, port, autoClose));
    try {
      socket.startHandshake();
    } catch (SocketTimeoutException e) {
      throw new SSLException(TlsFailure.SILENT, e);
    }
    return socket;
  }

  @Override
  public Socket createSocket(String host, int port) throws IOException {
    return prepared(factory().createSocket(host, port));
  }

  @Override
  public Socket createSocket(String host, int port, InetAddress local, int localPort)
      throws IOException {
    return prepared(factory().createSocket(host, port, local, localPort));
  }

  @Override
  public Socket createSocket(InetAddress host, int port) throws IOException {
    return prepared(factory().createSocket(host, port));
  }

  @Override
  public Socket createSocket(InetAddress host, int port, InetAddress local, int localPort)
      throws IOException {
    return prepared(factory().createSocket(host, port, local, localPort));
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
