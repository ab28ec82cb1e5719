package io.duplog.tls;

import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.SSLSocketFactory;

/** Sockets that speak and verify as {@link Tls#parameters} says, whoever asks for them. */
final class ClientSockets extends SSLSocketFactory {
  private final Tls tls;

  ClientSockets(Tls tls) {
    this.tls = tls;
  }

  private SSLSocketFactory factory() throws IOException {
    return tls.context().getSocketFactory();
  }

  private Socket prepared(Socket socket) {
    ((SSLSocket) socket).setSSLParameters(tls.parameters());
    return socket;
  }

  @Override
  public Socket createSocket() throws IOException {
    return prepared(factory().createSocket());
  }

  @Override
  public Socket createSocket(Socket plain, String host, int port, boolean autoClose)
      throws IOException {
    return prepared(factory().createSocket(plain, host, port, autoClose));
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
