package io.duplog.parts;

import com.google.common.hash.Hashing;
import io.duplog.rig.Command;
import io.duplog.rig.LoneServer;
import io.duplog.rig.Probe;
import io.duplog.rig.Programs;
import io.duplog.rig.RedisProcess;
import io.duplog.rig.Server;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.awaitility.Awaitility;

/**
 * Runs a Redis for a test, with the configuration and users of {@code deploy/redis}. After a
 * restart it is empty, and has a new replication id.
 */
public final class Redis extends LoneServer {
  /** User of a bridge. */
  public static final String USER = "duplog";

  public static final String PASSWORD = "password-of-redis";

  /** User with all permissions, for the test itself. */
  public static final String TESTER = "tester";

  public static final String TESTERS_PASSWORD = "password-of-tester";

  private static final Duration COMMAND_TIMEOUT = Duration.ofSeconds(60);
  private static final String SMALL_LETTERS_FIRST = "small-letters-first";

  private static final String CHARACTERS =
      """
      <code_set_name> BYTES
      <comment_char> %
      <escape_char> /
      CHARMAP
      <U0000>..<U007F> /x00
      END CHARMAP
      """;

  private static final String ORDER_FORMAT =
      """
      LC_COLLATE
      order_start forward
      %sorder_end
      END LC_COLLATE
      """;

  private final RedisProcess process;
  private final Command client;
  private final Path certificates = unchecked(() -> directory().make("certificates"));
  private final int tlsPort;

  private Redis(Map<String, String> environment, int tlsPort, List<String> arguments) {
    this.tlsPort = tlsPort;
    Path users =
        write(
            "users",
            "users.acl",
            Deployed.text("redis/users.acl")
                    .replace("@REDIS_PASSWORD_SHA256@", sha256(PASSWORD))
                    .replace("@OPERATOR_PASSWORD_SHA256@", sha256("of nobody"))
                + "user %s on >%s ~* &* +@all\n".formatted(TESTER, TESTERS_PASSWORD));
    String configuration =
        Deployed.text("redis/duplog.conf").replace("/etc/redis/users.acl", users.toString())
            + String.join("\n", arguments);
    RedisProcess.Login login = new RedisProcess.Login(TESTER, TESTERS_PASSWORD);
    process =
        unchecked(
            () ->
                new RedisProcess(
                    directory(), "redis", freePort(), configuration, environment, login));
    client = new Command(directory(), "redis-cli", Map.of(), COMMAND_TIMEOUT);
  }

  /** Returns the hash of a password for a file of users. */
  static String sha256(String password) {
    return Hashing.sha256().hashString(password, StandardCharsets.UTF_8).toString();
  }

  /**
   * Starts a server.
   *
   * @param arguments lines of its configuration, such as {@code maxmemory 2mb}; a later one
   *     overrides
   */
  public static Redis started(String... arguments) {
    Redis redis = new Redis(Map.of(), 0, List.of(arguments));
    redis.startAll(redis.server());
    return redis;
  }

  /**
   * Starts a server that also accepts TLS connections of clients with a certificate of this CA.
   *
   * @param certificate name of the server's certificate, which is issued here, because it must
   *     contain the server's address
   */
  public static Redis encrypted(CertificateIssuer ca, String certificate) {
    int tlsPort = freePort();
    Redis redis = new Redis(Map.of(), tlsPort, List.of("include ../tls/redis.conf"));
    ca.issue(certificate, redis.host()).copyTo(redis.certificates, certificate);
    redis.writeTls("redis.conf", tlsPort);
    redis.startAll(redis.server());
    return redis;
  }

  private Path writeTls(String file, int port) {
    return write(
        "tls",
        file,
        """
        tls-port %d
        tls-ca-cert-file %s/ca.pem
        tls-cert-file %2$s/server.pem
        tls-key-file %2$s/server.key
        tls-auth-clients yes
        """
            .formatted(port, certificates));
  }

  /** Makes the running server present another certificate, and trust this CA. */
  public void show(CertificateIssuer ca, String certificate) {
    ca.copyTo(certificates, certificate);
    cli("config", "set", "tls-cert-file", certificates + "/server.pem");
  }

  public int tlsPort() {
    return tlsPort;
  }

  /**
   * Starts a sentinel next to an encrypted server. It presents the same certificate, also requires
   * one, and names the server the master 'duplog'.
   *
   * @return its port
   */
  public int startEncryptedSentinel() {
    int port = freePort();
    Path file =
        write(
            "sentinel",
            "sentinel.conf",
            """
            port 0
            bind 127.0.0.1
            include %s
            tls-replication yes
            sentinel monitor duplog %s %d 1
            """
                .formatted(writeTls("sentinel.conf", port), host(), tlsPort));
    unchecked(
        () -> {
          List<String> command =
              List.of(Programs.find("redis-server").toString(), file.toString(), "--sentinel");
          Server.Launch launch =
              new Server.Launch("sentinel", command, Map.of(), file.resolveSibling(""));
          startBeside(new Server(launch, directory(), () -> Probe.accepts(port)));
        });
    return port;
  }

  /**
   * Starts a server in an environment where all small letters sort before all capitals, unlike
   * their bytes. Its scripts compare strings in this order.
   */
  public static Redis startedWithSmallLettersFirst() {
    // The path is relative to the server's working directory.
    Redis redis =
        new Redis(Map.of("LOCPATH", ".", "LC_COLLATE", SMALL_LETTERS_FIRST), 0, List.of());
    redis.makeLocale();
    redis.startAll(redis.server());
    return redis;
  }

  private void makeLocale() {
    write("redis", "characters", CHARACTERS);
    String order =
        ("abcdefghijklmnopqrstuvwxyz" + "ABCDEFGHIJKLMNOPQRSTUVWXYZ")
            .chars()
            .mapToObj("<U%04X>\n"::formatted)
            .collect(Collectors.joining());
    Path home = write("redis", "order", ORDER_FORMAT.formatted(order)).getParent();
    // Localedef complains about all undefined parts, but creates the other ones.
    String make =
        "cd %s && localedef -c -f ./characters -i ./order ./%s; test -s %2$s/LC_COLLATE"
            .formatted(home, SMALL_LETTERS_FIRST);
    unchecked(() -> client.run("localedef", List.of("sh", "-c", make)));
  }

  @Override
  protected Server server() {
    return process.server();
  }

  public int port() {
    return process.port();
  }

  /** Returns the part of a bridge's configuration with the server's address and login. */
  public String asBridge() {
    return "host: %s, port: %d, user: %s, password: %s".formatted(host(), port(), USER, PASSWORD);
  }

  /** Becomes a replica. Returns when it has the master's data. */
  public void follow(Redis master) {
    cli("config", "set", "masteruser", TESTER, "masterauth", TESTERS_PASSWORD);
    cli("replicaof", master.host(), Integer.toString(master.port()));
    Awaitility.await(this + " has the data of " + master).until(process::follows);
  }

  /** Becomes a master. */
  public void promote() {
    cli("replicaof", "no", "one");
  }

  /**
   * Runs redis-cli with all permissions, and returns its output, without the end of the last line.
   */
  public String cli(String... arguments) {
    List<String> line = client(port());
    line.addAll(List.of(arguments));
    return unchecked(() -> client.run("redis-cli", line)).stripTrailing();
  }

  /** Returns the redis-cli command with all permissions. */
  public static List<String> client(int port) {
    String login = "--user %s --pass %s --no-auth-warning".formatted(TESTER, TESTERS_PASSWORD);
    return new ArrayList<>(List.of(("redis-cli -p " + port + " " + login).split(" ", -1)));
  }
}
