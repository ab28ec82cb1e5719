package io.duplog.setup;

import static com.google.common.base.Preconditions.checkNotNull;
import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.nio.charset.StandardCharsets.UTF_8;

import com.google.common.hash.Hashing;
import com.google.common.io.BaseEncoding;
import com.google.common.io.Resources;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.SecureRandom;
import java.util.List;
import java.util.Map;

/**
 * Writes a folder for each host of a deployment, named as the host: {@code etc} with its files, its
 * packages, and the script {@code install}. Passwords, keys and certificates that are there already
 * are kept, and so are files that were edited. Nobody but the owner may read what is written.
 */
public final class HostFolders {
  private static final int PASSWORD_BYTES = 24;

  private final Deployment deployment;
  private final Path folder;
  private final WrittenFiles written;

  private HostFolders(Deployment deployment, Path folder) throws IOException {
    this.deployment = deployment;
    this.folder = ownFolder(folder);
    this.written = new WrittenFiles(folder);
  }

  /**
   * Writes the folders of all hosts into one.
   *
   * @param packages folder with the packages for Debian or Red Hat; those that a host needs are
   *     copied
   * @return files that were edited and are kept, relative to the folder: what would have been
   *     written is in {@code FILE.new}
   * @throws IOException if a file can't be read or written, or {@code openssl} fails
   */
  public static List<String> write(Deployment deployment, Path folder, Path packages)
      throws IOException {
    HostFolders folders = new HostFolders(deployment, folder);
    folders.writeAll(packages);
    return folders.written.save();
  }

  private void writeAll(Path packages) throws IOException {
    String brokers = password(folder.resolve("passwords/rabbitmq"));
    String redis = password(folder.resolve("passwords/redis"));
    String operator = password(folder.resolve("passwords/operator"));
    setExecutable(write("", "install-all", resource("setup/install-all")));
    for (String host : deployment.hosts()) {
      setExecutable(write(host, "install", resource("setup/install")));
    }
    write(
        deployment.redis(),
        "etc/redis/users.acl",
        resource("redis/users.acl")
            .replace("@BRIDGE_PASSWORD_SHA256@", sha256(redis))
            .replace("@OPERATOR_PASSWORD_SHA256@", sha256(operator)));
    write(deployment.redis(), "etc/redis/duplog.conf", ServerFiles.redis(deployment.tls()));
    for (Map.Entry<String, String> node : deployment.nodes().entrySet()) {
      String host = node.getValue();
      write(
          host,
          "etc/duplog/duplog-ingest.yaml",
          ServerFiles.shim(node.getKey(), deployment.bulk()));
      password(folder.resolve(host).resolve("etc/duplog/ingest.password"));
      if (deployment.bulk()) {
        password(folder.resolve(host).resolve("etc/duplog/listen.password"));
      }
      write(host, "etc/duplog/rabbitmq.password", brokers);
      write(host, "etc/rabbitmq/conf.d/60-duplog.conf", ServerFiles.rabbitmq(deployment.tls()));
      write(host, "rabbitmq/definitions.json", resource("rabbitmq/definitions.json"));
      setExecutable(write(host, "rabbitmq/setup", resource("rabbitmq/setup")));
      copyPackages(packages, "duplog-ingest", host);
    }
    for (String host : deployment.bridges()) {
      write(host, "etc/duplog/duplog.yaml", BridgeFile.text(deployment));
      write(host, "etc/duplog/rabbitmq.password", brokers);
      write(host, "etc/duplog/redis.password", redis);
      Deployment.Hec hec = deployment.hec();
      if (hec != null) {
        write(host, "etc/duplog/hec.token", Files.readString(hec.token()).strip());
        if (hec.ca() != null) {
          write(host, "etc/duplog/splunk-ca.pem", Files.readString(hec.ca()));
        }
      }
      copyPackages(packages, "duplog-bridge", host);
    }
    if (deployment.tls()) {
      issueCertificates();
    }
  }

  private void issueCertificates() throws IOException {
    CertificateAuthority authority = new CertificateAuthority(ownFolder(folder.resolve("ca")));
    for (String host : deployment.nodes().values()) {
      authority.issueServer(tlsFolder(host, "rabbitmq"), "broker", host);
    }
    authority.issueServer(tlsFolder(deployment.redis(), "redis"), "redis", deployment.redis());
    for (String host : deployment.bridges()) {
      authority.issueClient(tlsFolder(host, "duplog"));
    }
  }

  private Path tlsFolder(String host, String program) throws IOException {
    return ownFolder(folder.resolve(host).resolve("etc").resolve(program).resolve("tls"));
  }

  /** Returns the password in a file, which is made if it is not there. */
  private static String password(Path file) throws IOException {
    if (Files.exists(file)) {
      return Files.readString(file).strip();
    }
    byte[] random = new byte[PASSWORD_BYTES];
    new SecureRandom().nextBytes(random);
    String password = BaseEncoding.base16().lowerCase().encode(random);
    ownFolder(checkNotNull(file.getParent()));
    ownFile(file, password);
    return password;
  }

  private Path write(String host, String name, String text) throws IOException {
    Path file = folder.resolve(host).resolve(name);
    ownFolder(checkNotNull(file.getParent()));
    Path target = written.target(file, text);
    if (Files.notExists(target)) {
      ownFile(target, text);
    } else {
      Files.writeString(target, text);
    }
    return file;
  }

  private void copyPackages(Path packages, String name, String host) throws IOException {
    Path target = ownFolder(folder.resolve(host).resolve("packages"));
    String pattern = name + "[_-]*.{deb,rpm}";
    try (DirectoryStream<Path> earlier = Files.newDirectoryStream(target, pattern)) {
      for (Path file : earlier) {
        Files.delete(file);
      }
    }
    boolean any = false;
    try (DirectoryStream<Path> found = Files.newDirectoryStream(packages, pattern)) {
      for (Path file : found) {
        Files.copy(file, target.resolve(checkNotNull(file.getFileName())));
        any = true;
      }
    }
    if (!any) {
      throw new IOException(
          "no %s*.deb or .rpm in %s: name the packages' folder with --packages"
              .formatted(name, packages));
    }
  }

  private static void ownFile(Path file, String text) throws IOException {
    Files.createFile(
        file, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
    Files.writeString(file, text);
  }

  private static Path ownFolder(Path folder) throws IOException {
    return Files.createDirectories(
        folder, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
  }

  private static void setExecutable(Path file) throws IOException {
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwx------"));
  }

  private static String sha256(String password) {
    return Hashing.sha256().hashString(password, US_ASCII).toString();
  }

  /** Returns the text of a file of the folder deploy, as it was when the jar was made. */
  static String resource(String name) throws IOException {
    return Resources.toString(Resources.getResource("io/duplog/setup/" + name), UTF_8);
  }
}
