package io.duplog.status;

import io.duplog.tls.Tls;
import java.io.IOException;
import java.security.cert.X509Certificate;
import javax.net.ssl.SSLEngine;
import org.eclipse.jetty.io.EndPoint;
import org.eclipse.jetty.server.HttpConfiguration;
import org.eclipse.jetty.server.HttpConnectionFactory;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import org.eclipse.jetty.server.SslConnectionFactory;
import org.eclipse.jetty.util.ssl.SslContextFactory;
import org.jspecify.annotations.Nullable;

/**
 * Accepts HTTP connections to the status page, with TLS if wanted, and reports each to {@link
 * Connections}.
 */
final class StatusConnector extends ServerConnector {
  private static final int ACCEPTORS = 1;
  private static final int SELECTORS = 1;

  private final Connections connections;

  /**
   * Makes a connector.
   *
   * @param tls null for plain HTTP
   * @throws IOException if the files for TLS can't be read
   */
  StatusConnector(Server server, Connections connections, @Nullable Tls tls) throws IOException {
    super(server, ACCEPTORS, SELECTORS);
    this.connections = connections;
    HttpConfiguration http = new HttpConfiguration();
    http.setSendServerVersion(false);
    clearConnectionFactories();
    if (tls != null) {
      addConnectionFactory(encryption(tls));
    }
    addConnectionFactory(new HttpConnectionFactory(http));
    setDefaultProtocol(getProtocols().get(0));
  }

  private static SslConnectionFactory encryption(Tls tls) throws IOException {
    SslContextFactory.Server factory =
        new SslContextFactory.Server() {
          @Override
          public void customize(SSLEngine engine) {
            engine.setSSLParameters(tls.parameters());
          }
        };
    factory.setSslContext(tls.context());
    factory.setRenegotiationAllowed(false);
    return new SslConnectionFactory(factory, "http/1.1");
  }

  /**
   * Returns the connection that a request came by, the object that {@link Connections#opened}
   * received.
   */
  static EndPoint connection(Request request) {
    EndPoint seen = request.getConnectionMetaData().getConnection().getEndPoint();
    return seen instanceof EndPoint.Wrapper encrypted ? encrypted.unwrap() : seen;
  }

  /**
   * Describes the client for the log: its address, and its certificate's subject if it has shown
   * one.
   */
  static String asker(Request request) {
    EndPoint.SslSessionData tls =
        request.getConnectionMetaData().getConnection().getEndPoint().getSslSessionData();
    X509Certificate[] chain = tls == null ? null : tls.peerCertificates();
    return Request.getRemoteAddr(request)
        + (chain == null ? "" : " (" + chain[0].getSubjectX500Principal().getName() + ")");
  }

  @Override
  protected void onEndPointOpened(EndPoint connection) {
    super.onEndPointOpened(connection);
    connections.opened(connection);
  }

  @Override
  protected void onEndPointClosed(EndPoint connection) {
    connections.left(connection);
    super.onEndPointClosed(connection);
  }
}
