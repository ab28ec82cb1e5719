package io.duplog.parts;

import com.google.common.hash.Hashing;
import io.duplog.tls.Authority;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.awaitility.Awaitility;

/**
 * A Redis server with the configuration and the users of {@code deploy/redis}, unless the arguments
 * it is started with say otherwise.
 */
public final class Redis extends Part {
  /** What a bridge logs in as. */
  public static final String USER = "duplog";

  public static final String PASSWORD = "password-of-redis";

  /** Who may do everything, for the test itself. */
  static final String TESTER = "tester";

  static final String TESTERS_PASSWORD = "password-of-tester";

  private static final int PORT = 6379;
  private static final int TLS_PORT = 6380;
  private static final int SENTINEL_PORT = 26379;
  private static final String LOCALES = "/tmp/locales";
  private static final String SMALL_LETTERS_FIRST = "small-letters-first";

  private final String command;

  private Redis(String variables, List<String> arguments) {
    super("DUPLOG_REDIS_IMAGE");
    command =
        "env %s redis-server /etc/redis/duplog.conf --port %d --dir /tmp %s"
            .formatted(variables, PORT, String.join(" ", arguments));
    write("/etc/redis/duplog.conf", Deployed.text("redis/duplog.conf"));
    write(
        "/etc/redis/users.acl",
        Deployed.text("redis/users.acl")
                .replace("@BRIDGE_PASSWORD_SHA256@", sha256(PASSWORD))
                .replace("@OPERATOR_PASSWORD_SHA256@", sha256("of nobody"))
            + "user %s on >%s ~* &* +@all\n".formatted(TESTER, TESTERS_PASSWORD));
  }

  private static String sha256(String password) {
    return Hashing.sha256().hashString(password, StandardCharsets.UTF_8).toString();
  }

  /**
   * A new server.
   *
   * @param arguments of redis-server, such as --maxmemory 2mb; a later one overrides
   */
  public static Redis started(String... arguments) {
    Redis redis = new Redis("", List.of(arguments));
    redis.start();
    return redis;
  }

  /**
   * A new server that also takes connections by TLS, of who shows a certificate of this CA.
   *
   * @param certificate of the CA's; made here, since the server's address has to be in it
   */
  public static Redis encrypted(Authority ca, String certificate) {
    Redis redis =
        new Redis(
            "",
            List.of(
                "--tls-port " + TLS_PORT,
                "--tls-ca-cert-file /tmp/ca.pem",
                "--tls-cert-file /tmp/redis.pem",
                "--tls-key-file /tmp/redis.key",
                "--tls-auth-clients yes"));
    ca.issue(certificate, redis.host());
    redis.copyCertificates(ca, certificate);
    redis.start();
    redis.awaitListening(TLS_PORT);
    return redis;
  }

  /** Has the running server show another certificate, and trust this CA. */
  public void show(Authority ca, String certificate) {
    copyCertificates(ca, certificate);
    cli(
        "config",
        "set",
        "tls-ca-cert-file",
        "/tmp/ca.pem",
        "tls-cert-file",
        "/tmp/redis.pem",
        "tls-key-file",
        "/tmp/redis.key");
  }

  private void copyCertificates(Authority ca, String certificate) {
    write("/tmp/ca.pem", ca.text(ca.name() + ".pem"));
    write("/tmp/redis.pem", ca.text(certificate + ".pem"));
    write("/tmp/redis.key", ca.text(certificate + ".key"));
  }

  public int tlsPort() {
    return TLS_PORT;
  }

  /**
   * Starts a sentinel beside an encrypted server, which shows the same certificate, demands one,
   * too, and calls the server the master 'duplog'.
   *
   * @return its port
   */
  public int startEncryptedSentinel() {
    String file = "/tmp/sentinel.conf";
    write(
        file,
        """
        port 0
        tls-port %d
        tls-ca-cert-file /tmp/ca.pem
        tls-cert-file /tmp/redis.pem
        tls-key-file /tmp/redis.key
        tls-auth-clients yes
        tls-replication yes
        dir /tmp
        daemonize yes
        sentinel monitor duplog %s %d 1
        """
            .formatted(SENTINEL_PORT, host(), TLS_PORT));
    run("redis-server", file, "--sentinel");
    awaitListening(SENTINEL_PORT);
    return SENTINEL_PORT;
  }

  /**
   * A new server in surroundings where all small letters sort before all capitals, which is not how
   * their bytes do. Its scripts compare strings so.
   */
  public static Redis startedWithSmallLettersFirst() {
    Redis redis =
        new Redis("LOCPATH=%s LC_COLLATE=%s".formatted(LOCALES, SMALL_LETTERS_FIRST), List.of());
    redis.makeLocale();
    redis.start();
    return redis;
  }

  private void makeLocale() {
    StringBuilder characters =
        new StringBuilder("<code_set_name> BYTES\n<comment_char> %\n<escape_char> /\nCHARMAP\n");
    for (int each = 0; each < 128; each++) {
      characters.append("<U%04X> /x%02x\n".formatted(each, each));
    }
    write(LOCALES + "/characters", characters + "END CHARMAP\n");
    StringBuilder order = new StringBuilder("LC_COLLATE\norder_start forward\n");
    ("abcdefghijklmnopqrstuvwxyz" + "ABCDEFGHIJKLMNOPQRSTUVWXYZ")
        .chars()
        .forEach(letter -> order.append("<U%04X>\n".formatted(letter)));
    write(LOCALES + "/order", order + "order_end\nEND LC_COLLATE\n");
    // It complains of all that is not defined, and makes the rest.
    run(
        "sh",
        "-c",
        "cd %s && localedef -c -f ./characters -i ./order ./%s; test -s %2$s/LC_COLLATE"
            .formatted(LOCALES, SMALL_LETTERS_FIRST));
  }

  public int port() {
    return PORT;
  }

  /**
   * Starts the server again, empty, with a new replication id, and waits until it takes
   * connections.
   */
  public void start() {
    launch(command);
    awaitListening(PORT);
  }

  /** Shuts the server down. Its port refuses connections afterwards. */
  public void stop() {
    end("TERM");
  }

  /** Kills the server. Its port refuses connections afterwards. */
  public void kill() {
    end("KILL");
  }

  /** Becomes a replica, and returns when it has what the master has. */
  public void follow(Redis master) {
    cli("config", "set", "masteruser", TESTER, "masterauth", TESTERS_PASSWORD);
    cli("replicaof", master.host(), Integer.toString(master.port()));
    Awaitility.await(this + " has the data of " + master)
        .atMost(PATIENCE)
        .until(() -> cli("info", "replication").contains("master_link_status:up"));
  }

  /** Becomes a master. */
  public void promote() {
    cli("replicaof", "no", "one");
  }

  /**
   * Runs redis-cli as somebody who may do everything, and returns what it prints, without the last
   * line's end.
   */
  public String cli(String... arguments) {
    List<String> line = new ArrayList<>();
    line.addAll(List.of("redis-cli", "--no-auth-warning"));
    line.addAll(List.of("--user", TESTER, "--pass", TESTERS_PASSWORD));
    line.addAll(List.of(arguments));
    return run(line.toArray(String[]::new)).stripTrailing();
  }
}
