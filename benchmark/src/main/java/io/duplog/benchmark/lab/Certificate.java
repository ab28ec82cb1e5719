package io.duplog.benchmark.lab;

import io.duplog.rig.LabException;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.CertificateFactory;
import java.util.List;
import java.util.Map;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.TrustManagerFactory;

/** The self-signed certificate that a node's shim shows to clients. Needs openssl. */
final class Certificate {
  private final Path folder;
  private final Path certificate;
  private final Path key;

  /** Issues the first certificate, into a folder. */
  Certificate(Path folder) throws LabException {
    this.folder = folder;
    this.certificate = folder.resolve("hec.pem");
    this.key = folder.resolve("hec.key");
    replace();
  }

  /** Replaces both files. For a moment they do not match, as on a real host. */
  void replace() throws LabException {
    ChildProcess.run(
        folder,
        List.of(
            "openssl",
            "req",
            "-x509",
            "-newkey",
            "ec",
            "-pkeyopt",
            "ec_paramgen_curve:P-256",
            "-nodes",
            "-days",
            "2",
            "-subj",
            "/CN=127.0.0.1",
            "-keyout",
            key.toString(),
            "-out",
            certificate.toString()));
  }

  /** Returns the shim's settings for this certificate. */
  Map<String, String> settings() {
    return Map.of("hec.tls.certificate", certificate.toString(), "hec.tls.key", key.toString());
  }

  /**
   * Connects to the shim.
   *
   * @throws IOException if the shim does not show the newest certificate
   */
  Socket connect(int port) throws IOException {
    try (InputStream pem = Files.newInputStream(certificate)) {
      KeyStore trusted = KeyStore.getInstance(KeyStore.getDefaultType());
      trusted.load(null, null);
      trusted.setCertificateEntry(
          "shim", CertificateFactory.getInstance("X.509").generateCertificate(pem));
      TrustManagerFactory trust =
          TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
      trust.init(trusted);
      SSLContext context = SSLContext.getInstance("TLS");
      context.init(null, trust.getTrustManagers(), null);
      SSLSocket socket =
          (SSLSocket)
              context.getSocketFactory().createSocket(InetAddress.getLoopbackAddress(), port);
      try {
        socket.startHandshake();
      } catch (IOException e) {
        socket.close();
        throw e;
      }
      return socket;
    } catch (GeneralSecurityException e) {
      throw new IOException(e);
    }
  }
}
