package io.duplog.setup;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.google.common.base.Splitter;
import com.google.common.collect.Lists;
import com.google.common.net.InetAddresses;
import io.duplog.config.Hosts;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * Creates the certificates for all hosts of a deployment for {@code duplog init}, and keeps
 * existing ones. The program {@code openssl} creates them in a folder, with the commands of
 * docs/tls.md. If the CA itself is missing, all are created again.
 */
final class CertificateAuthority {
  private static final String REQUEST =
      "req -keyout new.key -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes";
  private static final String SIGN =
      "x509 -req -in new.csr -CA ca.pem -CAkey ca.key -CAcreateserial -days 825 -extfile new.ext"
          + " -out new.pem";

  private final Path folder;

  /** A key and its certificate, as PEM. */
  record Issued(String key, String certificate) {}

  /**
   * Opens the CA, or creates it.
   *
   * @throws IOException if {@code openssl} can't be run or fails, or if the CA's key or certificate
   *     is missing
   */
  CertificateAuthority(Path folder) throws IOException {
    this.folder = OwnFiles.folder(folder);
    if (Files.exists(folder.resolve("ca.key")) != Files.exists(folder.resolve("ca.pem"))) {
      throw new IOException(
          folder
              + " has only one of ca.key and ca.pem. Restore the other one, or remove the folder");
    }
    if (Files.notExists(folder.resolve("ca.pem"))) {
      deleteFormerCertificates();
      openssl(REQUEST + " -x509 -days 3650 -out new.pem -subj", "/CN=Duplog CA");
      take("ca");
    }
  }

  private void deleteFormerCertificates() throws IOException {
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

  /** Returns a server's key and certificate. Creates them if they do not exist. */
  Issued server(String program, String host) throws IOException {
    return server(program, host, "serverAuth");
  }

  /**
   * Returns the key and certificate of a server that is also a client of its peers, as a Redis
   * replica is of its master. Creates them if they do not exist.
   */
  Issued peer(String program, String host) throws IOException {
    return server(program, host, "serverAuth,clientAuth");
  }

  private Issued server(String program, String host, String use) throws IOException {
    String named = Hosts.withoutDot(host); // as clients verify it
    String name = (InetAddresses.isInetAddress(named) ? "IP:" : "DNS:") + named;
    return issued(program + "-" + named, use, "subjectAltName=" + name + ",IP:127.0.0.1\n");
  }

  /** Returns a client's key and certificate. Creates them if they do not exist. */
  Issued client(String program, String host) throws IOException {
    return issued(program + "-" + Hosts.withoutDot(host), "clientAuth", "");
  }

  private Issued issued(String name, String use, String extension) throws IOException {
    if (Files.notExists(folder.resolve(name + ".pem"))) {
      openssl(REQUEST + " -out new.csr -subj", "/CN=" + name);
      Files.writeString(
          folder.resolve("new.ext"),
          "basicConstraints=CA:FALSE\nextendedKeyUsage=" + use + "\n" + extension);
      openssl(SIGN);
      take(name);
    }
    return new Issued(
        Files.readString(folder.resolve(name + ".key")),
        Files.readString(folder.resolve(name + ".pem")));
  }

  /**
   * Stores the new key and certificate under their final names. The certificate comes last, because
   * its existence means that both are there.
   */
  private void take(String name) throws IOException {
    for (String kind : List.of(".key", ".pem")) {
      OwnFiles.write(
          folder.resolve(name + kind), Files.readString(folder.resolve("new" + kind)), false);
    }
    for (String kind : List.of(".key", ".pem", ".csr", ".ext")) {
      Files.deleteIfExists(folder.resolve("new" + kind));
    }
  }

  /**
   * Runs openssl.
   *
   * @param arguments separated by spaces
   * @param last further arguments, which may contain spaces
   */
  private void openssl(String arguments, String... last) throws IOException {
    List<String> command = Lists.newArrayList(Splitter.on(' ').split("openssl " + arguments));
    command.addAll(List.of(last));
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
