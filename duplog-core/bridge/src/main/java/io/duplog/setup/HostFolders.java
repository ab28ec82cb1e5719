package io.duplog.setup;

import static com.google.common.base.Preconditions.checkNotNull;
import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.nio.charset.StandardCharsets.UTF_8;

import com.google.common.base.Ascii;
import com.google.common.hash.Hashing;
import com.google.common.io.BaseEncoding;
import com.google.common.io.MoreFiles;
import com.google.common.io.RecursiveDeleteOption;
import com.google.common.io.Resources;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Writes for {@code duplog init} a folder for each host, with the host's files, its packages and
 * the script {@code install}. The files are in the folder's {@code etc}. Beside these folders are
 * the script {@code install-all}, and the folders {@code passwords} and {@code ca}, whose contents
 * are kept. Edited files are kept, too. The files are readable only by the owner.
 */
public final class HostFolders {
  private static final int PASSWORD_BYTES = 24;
  private static final int MIN_PASSWORD_LENGTH = 16;
  private static final String REPLICA_OF = "/etc/redis/replicaof";
  private static final Pattern PASSWORD = Pattern.compile("@([A-Z]+)_PASSWORD(_SHA256)?@");

  /** Length limit of all queues of a node, which definitions.json has for one queue. */
  private static final long QUEUES_BYTES = 10_737_418_240L;

  private final Deployment deployment;
  private final Path folder;
  private final WrittenFiles files;

  private HostFolders(Deployment deployment, Path folder) throws IOException {
    this.deployment = deployment;
    this.folder = OwnFiles.folder(folder);
    this.files = new WrittenFiles(folder);
  }

  /**
   * Writes the folders of all hosts into one folder.
   *
   * @param packages folder with the packages for Debian or Red Hat. Files that a host needs are
   *     copied.
   * @return notes for the user, about edited and removed files
   * @throws IOException if a file can't be read or written, or {@code openssl} fails
   */
  public static List<String> write(Deployment deployment, Path folder, Path packages)
      throws IOException {
    List<Path> ingest = packages(packages, "duplog-ingest");
    List<Path> bridge = packages(packages, "duplog-bridge");
    Deployment.Hec hec = deployment.hec();
    String token = hec == null ? null : Files.readString(hec.token()).strip();
    String splunk = hec == null || hec.ca() == null ? null : Files.readString(hec.ca());

    HostFolders folders = new HostFolders(deployment, folder);
    folders.writeScripts();
    folders.writeRedis();
    for (Map.Entry<String, String> node : deployment.nodes().entrySet()) {
      folders.writeNode(node.getKey(), node.getValue());
      folders.copy(ingest, "duplog-ingest", node.getValue());
    }
    for (String host : deployment.bridges()) {
      folders.writeBridge(host, token, splunk);
      folders.copy(bridge, "duplog-bridge", host);
    }
    if (deployment.tls()) {
      folders.writeCertificates();
    }
    folders.noteRemovedSentinels();
    return folders.files.finish();
  }

  private static List<Path> packages(Path folder, String name) throws IOException {
    List<Path> found = new ArrayList<>();
    try (DirectoryStream<Path> all = Files.newDirectoryStream(folder, name + "[_-]*.{deb,rpm}")) {
      all.forEach(found::add);
    }
    if (found.isEmpty()) {
      throw new IOException(
          "no %s*.deb or .rpm in %s. Give the packages' folder with --packages"
              .formatted(name, folder));
    }
    return found;
  }

  private void writeScripts() throws IOException {
    files.writeProgram("install-all", resource("setup/install-all"));
    for (String host : deployment.hosts()) {
      writeInstall(host);
    }
    for (String host : files.folders("/install")) {
      if (!deployment.hosts().contains(host) && Files.isDirectory(folder.resolve(host))) {
        writeLeaveScript(host);
      }
    }
  }

  private void writeInstall(String host) throws IOException {
    files.writeProgram(host + "/install", resource("setup/install"));
    // Not secret, but random and kept: a host rejects files of another deployment.
    files.write(host + "/deployment", password("deployment"));
  }

  /** Leaves only a script that stops the host's programs and removes its passwords. */
  private void writeLeaveScript(String host) throws IOException {
    writeInstall(host);
    OwnFiles.folder(folder.resolve(host).resolve("etc"));
    Path packages = folder.resolve(host).resolve("packages");
    if (Files.isDirectory(packages)) {
      MoreFiles.deleteRecursively(packages, RecursiveDeleteOption.ALLOW_INSECURE);
    }
    files.note(
        "%1$s is no longer part of the deployment. install-all stops its programs and removes its passwords. If the host"
                .formatted(host)
            + " no longer exists, or this is done, delete the folder "
            + host);
  }

  private void writeRedis() throws IOException {
    Deployment.Redis redis = deployment.redis();
    String first = redis.servers().get(0);
    String users = resource("redis/users.acl");
    if (redis.hasReplicas()) {
      users += resource("redis/users-%s.acl".formatted(redis.isCluster() ? "cluster" : "sentinel"));
    }
    for (String host : redis.servers()) {
      String etc = host + "/etc/redis/";
      files.write(etc + "users.acl", filled(users));
      files.write(etc + "duplog.conf", resource("redis/duplog.conf"));
      files.write(
          etc + "duplog-options.conf", filled(ServerFiles.redis(redis, host, deployment.tls())));
    }
    if (!redis.sentinels().isEmpty()) {
      writeSentinels(redis);
    }
    if (redis.isCluster()) {
      files.writeProgram(first + "/redis/cluster-cli", resource("redis/cluster-cli"));
      files.write(first + "/redis/admin.password", password("admin"));
    }
  }

  /**
   * Sentinels and roles start over on all hosts once the former ones can no longer log in. All of
   * them agree on the first master again only after that. Until then the first master stays the
   * same server, whatever the order of the servers.
   */
  private void writeSentinels(Deployment.Redis redis) throws IOException {
    boolean tls = deployment.tls();
    String ca = tls ? new CertificateAuthority(folder.resolve("ca")).certificate() : "";
    String beginning = "# Beginning " + sha256(redis.port(tls) + ca + password("sentinel")) + "\n";
    String masterRole = beginning + "replicaof no one\n";
    String first = firstMaster(redis.servers(), masterRole);
    String address = first + " " + redis.port(tls);
    String replicaRole = beginning + "replicaof " + address + "\n";
    for (String host : redis.servers()) {
      files.write(host + REPLICA_OF, host.equals(first) ? masterRole : replicaRole);
    }
    for (String host : redis.sentinels()) {
      String etc = host + "/etc/redis/";
      files.write(etc + "sentinel-users.acl", filled(resource("redis/sentinel-users.acl")));
      files.write(
          etc + "duplog-sentinel.conf",
          beginning + filled(ServerFiles.sentinel(address, host, tls)));
    }
  }

  /**
   * Adds a note about removed sentinels: the remaining ones still count them, and may promote a
   * replica that no longer exists.
   */
  private void noteRemovedSentinels() {
    Deployment.Redis redis = deployment.redis();
    Set<String> before = new TreeSet<>(files.folders("/etc/redis/duplog-sentinel.conf"));
    before.addAll(files.folders(REPLICA_OF));
    before.removeAll(redis.hosts());
    if (!redis.sentinels().isEmpty() && !before.isEmpty()) {
      files.note(
          "Redis or a sentinel was removed from %s, but the other sentinels still count it. When install-all has run,"
                  .formatted(String.join(", ", before))
              + " make them forget it, on one host after another, half a minute apart (%s): redis-cli -p 26379"
                  .formatted(String.join(", ", redis.sentinels()))
              + " --user operator --askpass sentinel reset duplog");
    }
  }

  /** Returns the server that already has this role in its folder, or else the first one. */
  private String firstMaster(List<String> servers, String role) throws IOException {
    for (String host : servers) {
      Path file = folder.resolve(host + REPLICA_OF);
      if (Files.exists(file) && Files.readString(file).equals(role)) {
        return host;
      }
    }
    return servers.get(0);
  }

  /** Fills in the passwords that a text names, such as {@code @REPLICA_PASSWORD@}. */
  private String filled(String text) throws IOException {
    StringBuilder filled = new StringBuilder();
    Matcher named = PASSWORD.matcher(text);
    while (named.find()) {
      String password = password(Ascii.toLowerCase(named.group(1)));
      named.appendReplacement(filled, named.group(2) == null ? password : sha256(password));
    }
    return named.appendTail(filled).toString();
  }

  private void writeNode(String stream, String host) throws IOException {
    boolean bulk = deployment.bulk().contains(stream);
    String etc = host + "/etc/duplog/";
    files.write(etc + "duplog-ingest.yaml", ServerFiles.shim(stream, deployment.queues(), bulk));
    files.write(etc + "ingest.password", password("ingest-" + stream));
    if (bulk) {
      files.write(etc + "listen.password", password("listen-" + stream));
    }
    if (deployment.durable().contains(stream)) {
      files.write(host + "/rsyslog/durable-queue.sed", resource("setup/durable-queue.sed"));
    }
    files.write(etc + "rabbitmq.password", password("rabbitmq"));
    files.write(
        host + "/etc/rabbitmq/conf.d/60-duplog.conf", ServerFiles.rabbitmq(deployment.tls()));
    // The policies for the queues of bridges come first. Refused events wait in a single queue.
    String definitions = resource("rabbitmq/definitions.json");
    int others = definitions.indexOf("\"duplog-dead-letter\"");
    files.write(
        host + "/rabbitmq/definitions.json",
        definitions
                .substring(0, others)
                .replace("" + QUEUES_BYTES, "" + QUEUES_BYTES / deployment.queues())
            + definitions.substring(others));
    files.writeProgram(host + "/rabbitmq/setup", resource("rabbitmq/setup"));
  }

  private void writeBridge(String host, @Nullable String hecToken, @Nullable String splunkCa)
      throws IOException {
    String etc = host + "/etc/duplog/";
    files.write(etc + "duplog.yaml", BridgeYaml.text(deployment));
    files.write(etc + "rabbitmq.password", password("rabbitmq"));
    files.write(etc + "redis.password", password("redis"));
    if (hecToken != null) {
      files.write(etc + "hec.token", hecToken);
    }
    if (splunkCa != null) {
      files.write(etc + "splunk-ca.pem", splunkCa);
    }
  }

  private void writeCertificates() throws IOException {
    CertificateAuthority authority = new CertificateAuthority(folder.resolve("ca"));
    String ca = authority.certificate();
    for (String host : deployment.nodes().values()) {
      write(host + "/etc/rabbitmq/tls/", "broker", authority.server("rabbitmq", host), ca);
    }
    for (String host : deployment.redis().hosts()) {
      write(host + "/etc/redis/tls/", "redis", authority.peer("redis", host), ca);
    }
    for (String host : deployment.bridges()) {
      write(host + "/etc/duplog/tls/", "client", authority.client("bridge", host), ca);
    }
  }

  private void write(String path, String name, CertificateAuthority.Issued issued, String ca)
      throws IOException {
    files.write(path + "ca.pem", ca);
    files.write(path + name + ".key", issued.key());
    files.write(path + name + ".pem", issued.certificate());
  }

  /**
   * Returns the password in a file of the folder {@code passwords}. Creates it if it is missing.
   */
  private String password(String name) throws IOException {
    Path file = folder.resolve("passwords").resolve(name);
    if (Files.notExists(file)) {
      byte[] random = new byte[PASSWORD_BYTES];
      new SecureRandom().nextBytes(random);
      OwnFiles.write(file, BaseEncoding.base16().lowerCase().encode(random), false);
    }
    String password = Files.readString(file).strip();
    if (password.length() < MIN_PASSWORD_LENGTH) {
      throw new IOException(
          "%s has fewer than %d characters: remove it for a new password"
              .formatted(file, MIN_PASSWORD_LENGTH));
    }
    return password;
  }

  private void copy(List<Path> packages, String name, String host) throws IOException {
    Path target = OwnFiles.folder(folder.resolve(host).resolve("packages"));
    try (DirectoryStream<Path> earlier = Files.newDirectoryStream(target, name + "[_-]*")) {
      for (Path file : earlier) {
        Files.delete(file);
      }
    }
    for (Path file : packages) {
      Files.copy(file, target.resolve(checkNotNull(file.getFileName())));
    }
  }

  private static String sha256(String password) {
    return Hashing.sha256().hashString(password, US_ASCII).toString();
  }

  /** Returns the text of a file of the folder deploy, as packaged into the jar. */
  static String resource(String name) throws IOException {
    return Resources.toString(Resources.getResource("io/duplog/setup/" + name), UTF_8);
  }
}
