package io.duplog.setup;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.google.common.net.InetAddresses;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;

/**
 * A CA for the hosts of one deployment, in a folder of its own. The program {@code openssl} makes
 * keys and certificates, as the commands in docs/tls.md do. What is there already is kept.
 */
final class CertificateAuthority {
  private static final int DAYS_OF_CA = 3650;
  private static final int DAYS_OF_CERTIFICATE = 825;
  private static final List<String> NEW_KEY =
      List.of("-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes");

  private final Path folder;

  /**
   * Opens the CA, or makes it.
   *
   * @throws IOException if {@code openssl} can't be run or fails
   */
  CertificateAuthority(Path folder) throws IOException {
    this.folder = folder;
    Files.createDirectories(folder);
    if (Files.notExists(certificate())) {
      List<String> command = new ArrayList<>(List.of("req", "-x509"));
      command.addAll(NEW_KEY);
      command.addAll(
          List.of("-days", "" + DAYS_OF_CA, "-subj", "/CN=Duplog CA", "-keyout", "ca.key"));
      command.addAll(List.of("-out", "ca.pem"));
      openssl(command);
    }
  }

  /** Returns the file with the CA's certificate. */
  Path certificate() {
    return folder.resolve("ca.pem");
  }

  /** Makes a server's key and certificate, {@code NAME.key} and {@code NAME.pem}, in a folder. */
  void issueServer(Path target, String name, String host) throws IOException {
    String subject = (InetAddresses.isInetAddress(host) ? "IP:" : "DNS:") + host;
    issue(target, name, "serverAuth", "subjectAltName=" + subject + ",IP:127.0.0.1\n");
  }

  /** Makes a client's key and certificate, {@code client.key} and {@code client.pem}. */
  void issueClient(Path target) throws IOException {
    issue(target, "client", "clientAuth", "");
  }

  private void issue(Path target, String name, String use, String extension) throws IOException {
    Files.createDirectories(target);
    Path made = target.resolve(name + ".pem").toAbsolutePath();
    String key = target.resolve(name + ".key").toAbsolutePath().toString();
    Files.copy(certificate(), target.resolve("ca.pem"), StandardCopyOption.REPLACE_EXISTING);
    if (Files.exists(made)) {
      return;
    }
    Path request = folder.resolve("request.csr");
    Path extensions = folder.resolve("request.ext");
    List<String> command = new ArrayList<>(List.of("req"));
    command.addAll(NEW_KEY);
    command.addAll(List.of("-subj", "/CN=" + name, "-keyout", key, "-out", "request.csr"));
    openssl(command);
    Files.writeString(
        extensions, "basicConstraints=CA:FALSE\nextendedKeyUsage=" + use + "\n" + extension);
    openssl(
        List.of(
            "x509",
            "-req",
            "-in",
            "request.csr",
            "-CA",
            "ca.pem",
            "-CAkey",
            "ca.key",
            "-CAcreateserial",
            "-days",
            "" + DAYS_OF_CERTIFICATE,
            "-extfile",
            "request.ext",
            "-out",
            made.toString()));
    Files.delete(request);
    Files.delete(extensions);
  }

  private void openssl(List<String> arguments) throws IOException {
    List<String> command = new ArrayList<>(List.of("openssl"));
    command.addAll(arguments);
    Process process =
        new ProcessBuilder(command).directory(folder.toFile()).redirectErrorStream(true).start();
    process.getOutputStream().close();
    String said = new String(process.getInputStream().readAllBytes(), UTF_8);
    try {
      if (process.waitFor() != 0) {
        throw new IOException("%s failed: %s".formatted(String.join(" ", command), said.strip()));
      }
    } catch (InterruptedException e) {
      process.destroy();
      Thread.currentThread().interrupt();
      throw new IOException("interrupted", e);
    }
  }
}
