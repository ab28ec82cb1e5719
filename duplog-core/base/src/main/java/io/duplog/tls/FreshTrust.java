package io.duplog.tls;

import java.net.Socket;
import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSession;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.X509ExtendedTrustManager;
import org.jspecify.annotations.Nullable;

/**
 * Verifies the peer's certificate in each TLS handshake with the CAs in their file at that time. On
 * a client, refuses every certificate if the connection does not verify the server's name.
 */
final class FreshTrust extends X509ExtendedTrustManager {
  private final Tls tls;

  FreshTrust(Tls tls) {
    this.tls = tls;
  }

  private X509ExtendedTrustManager trust() throws CertificateException {
    Credentials credentials = tls.current();
    if (credentials == null) {
      throw new CertificateException("no file with a CA could be read so far");
    }
    return credentials.trust();
  }

  @Override
  public void checkServerTrusted(X509Certificate[] chain, String authType, Socket socket)
      throws CertificateException {
    X509ExtendedTrustManager trust = trust();
    SSLSocket tlsSocket = (SSLSocket) socket;
    requireNameVerification(tlsSocket.getSSLParameters());
    try {
      trust.checkServerTrusted(chain, authType, socket);
    } catch (CertificateException e) {
      throw refused(chain, tlsSocket.getHandshakeSession(), e, isTrusted(trust, chain, authType));
    }
  }

  @Override
  public void checkServerTrusted(X509Certificate[] chain, String authType, SSLEngine engine)
      throws CertificateException {
    X509ExtendedTrustManager trust = trust();
    requireNameVerification(engine.getSSLParameters());
    try {
      trust.checkServerTrusted(chain, authType, engine);
    } catch (CertificateException e) {
      throw refused(chain, engine.getHandshakeSession(), e, isTrusted(trust, chain, authType));
    }
  }

  @Override
  public void checkServerTrusted(X509Certificate[] chain, String authType)
      throws CertificateException {
    throw nameNotVerified();
  }

  private static void requireNameVerification(SSLParameters parameters)
      throws CertificateException {
    String algorithm = parameters.getEndpointIdentificationAlgorithm();
    if (algorithm == null || algorithm.isEmpty()) {
      throw nameNotVerified();
    }
  }

  private static CertificateException nameNotVerified() {
    return new CertificateException("a certificate whose name nobody verifies is not accepted");
  }

  private CertificateException refused(
      X509Certificate[] chain,
      @Nullable SSLSession session,
      CertificateException failure,
      boolean isTrusted) {
    String peer = session == null ? null : session.getPeerHost();
    String host = peer == null ? "this host" : peer;
    return new RefusedCertificateException(
        RefusedCertificateException.describe(chain, host, tls.caInWords(), failure, isTrusted),
        failure);
  }

  /** Whether the certificate chain is trusted, regardless of the names in the certificate. */
  private static boolean isTrusted(
      X509ExtendedTrustManager trust, X509Certificate[] chain, String authType) {
    try {
      trust.checkServerTrusted(chain, authType);
      return true;
    } catch (CertificateException e) {
      return false;
    }
  }

  @Override
  public void checkClientTrusted(X509Certificate[] chain, String authType, Socket socket)
      throws CertificateException {
    trust().checkClientTrusted(chain, authType, socket);
  }

  @Override
  public void checkClientTrusted(X509Certificate[] chain, String authType, SSLEngine engine)
      throws CertificateException {
    trust().checkClientTrusted(chain, authType, engine);
  }

  @Override
  public void checkClientTrusted(X509Certificate[] chain, String authType)
      throws CertificateException {
    trust().checkClientTrusted(chain, authType);
  }

  @Override
  public X509Certificate[] getAcceptedIssuers() {
    Credentials credentials = tls.current();
    return credentials == null ? new X509Certificate[0] : credentials.trust().getAcceptedIssuers();
  }
}
