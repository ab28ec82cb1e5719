package io.duplog.tls;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.security.GeneralSecurityException;
import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.TrustManager;
import javax.net.ssl.X509TrustManager;
import org.jspecify.annotations.Nullable;

/**
 * Asks a server for its certificate, to find out whether it is the expected server. Trusts no
 * certificate, and sends no data.
 */
public final class ShownCertificate {
  private static final int TIMEOUT_MILLIS = 2_000;

  private ShownCertificate() {}

  /**
   * Whether a server presents the first certificate of a file. Ignores the names in the
   * certificate, and whether the server would accept this client.
   *
   * @throws IOException if the file can't be read
   */
  public static boolean isOf(String file, InetSocketAddress server) throws IOException {
    Recorder recorder = new Recorder();
    try (Socket plain = new Socket()) {
      SSLContext context = SSLContext.getInstance("TLS");
      context.init(null, new TrustManager[] {recorder}, null);
      plain.connect(server, TIMEOUT_MILLIS);
      plain.setSoTimeout(TIMEOUT_MILLIS);
      SSLSocket socket =
          (SSLSocket)
              context
                  .getSocketFactory()
                  .createSocket(plain, server.getHostString(), server.getPort(), true);
      socket.startHandshake();
    } catch (IOException e) {
      // Expected, because the recorder refuses every certificate.
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("this Java installation has no TLS", e);
    }
    return PemFile.certificates(file).get(0).equals(recorder.certificate);
  }

  private static final class Recorder implements X509TrustManager {
    private @Nullable X509Certificate certificate;

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String authType)
        throws CertificateException {
      certificate = chain[0];
      throw new CertificateException("this was about seeing it");
    }

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String authType)
        throws CertificateException {
      checkServerTrusted(chain, authType);
    }

    @Override
    public X509Certificate[] getAcceptedIssuers() {
      return new X509Certificate[0];
    }
  }
}
