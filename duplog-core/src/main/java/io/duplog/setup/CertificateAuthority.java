package io.duplog.setup;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.google.common.net.InetAddresses;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * A CA for the hosts of one deployment, in a folder that has all of its keys and certificates. The
 * program {@code openssl} makes them, as the commands in docs/tls.md do. What is there already is
 * kept.
 */
final class CertificateAuthority {
  private static final int DAYS_OF_CA = 3650;
  private static final int DAYS_OF_CERTIFICATE = 825;
  private static final List<String> NEW_KEY =
      List.of("-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes");

  private final Path folder;

  /** A key and its certificate, as PEM. */
  record Issued(String key, String certificate) {}

  /**
   * Opens the CA, or makes it.
   *
   * @throws IOException if {@code openssl} can't be run or fails, or a half of the CA is missing
   */
  CertificateAuthority(Path folder) throws IOException {
    this.folder = OwnFiles.folder(folder);
    if (Files.exists(folder.resolve("ca.key")) != Files.exists(folder.resolve("ca.pem"))) {
      throw new IOException(
          folder + " has one of ca.key and ca.pem: restore the other, or remove the folder");
    }
    if (Files.notExists(folder.resolve("ca.pem"))) {
      deleteThoseOfAnother();
      List<String> arguments = new ArrayList<>(List.of("-x509", "-subj", "/CN=Duplog CA"));
      arguments.addAll(List.of("-days", "" + DAYS_OF_CA, "-out", "new.pem"));
      request(arguments);
      take("ca");
    }
  }

  private void deleteThoseOfAnother() throws IOException {
    try (DirectoryStream<Path> certificates = Files.newDirectoryStream(folder, "*.{pem,key}")) {
      for (Path file : certificates) {
        Files.delete(file);
      }
    }
  }

  /** Returns the CA's certificate, as PEM. */
  String certificate() throws IOException {
    return Files.readString(folder.resolve("ca.pem"));
  }

  /** Returns a server's key and certificate, which are made if they are not there. */
  Issued server(String program, String host) throws IOException {
    String name = (InetAddresses.isInetAddress(host) ? "IP:" : "DNS:") + host;
    return issued(program + "-" + host, "serverAuth", "subjectAltName=" + name + ",IP:127.0.0.1\n");
  }

  /** Returns a client's key and certificate, which are made if they are not there. */
  Issued client(String program, String host) throws IOException {
    return issued(program + "-" + host, "clientAuth", "");
  }

  private Issued issued(String name, String use, String extension) throws IOException {
    if (Files.notExists(folder.resolve(name + ".pem"))) {
      request(List.of("-subj", "/CN=" + name, "-out", "new.csr"));
      Files.writeString(
          folder.resolve("new.ext"),
          "basicConstraints=CA:FALSE\nextendedKeyUsage=" + use + "\n" + extension);
      openssl(
          List.of(
              "x509",
              "-req",
              "-in",
              "new.csr",
              "-CA",
              "ca.pem",
              "-CAkey",
              "ca.key",
              "-CAcreateserial",
              "-days",
              "" + DAYS_OF_CERTIFICATE,
              "-extfile",
              "new.ext",
              "-out",
              "new.pem"));
      take(name);
    }
    return new Issued(
        Files.readString(folder.resolve(name + ".key")),
        Files.readString(folder.resolve(name + ".pem")));
  }

  private void request(List<String> arguments) throws IOException {
    List<String> command = new ArrayList<>(List.of("req", "-keyout", "new.key"));
    command.addAll(NEW_KEY);
    command.addAll(arguments);
    openssl(command);
  }

  /** Gives what openssl made its name, the certificate last: it says that both are there. */
  private void take(String name) throws IOException {
    for (String kind : List.of(".key", ".pem")) {
      OwnFiles.write(
          folder.resolve(name + kind), Files.readString(folder.resolve("new" + kind)), false);
    }
    for (String kind : List.of(".key", ".pem", ".csr", ".ext")) {
      Files.deleteIfExists(folder.resolve("new" + kind));
    }
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
