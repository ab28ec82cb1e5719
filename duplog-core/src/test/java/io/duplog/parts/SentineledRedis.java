package io.duplog.parts;

import static org.awaitility.Awaitility.await;

import com.google.common.hash.Hashing;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/**
 * Two Redis servers, the first one the master, and three sentinels that watch them, all in one
 * container, with the configuration and the users of {@code deploy/redis}. Only the ports differ,
 * and how soon a master that is silent is taken for down: after a second.
 */
public final class SentineledRedis extends Part {
  private static final int FIRST = 6379;
  private static final int SECOND = 6380;
  private static final List<Integer> SENTINELS = List.of(26379, 26380, 26381);
  private static final String PEERS_PASSWORD = "password-of-peers";

  private SentineledRedis() {
    super("DUPLOG_REDIS_IMAGE");
    write("/etc/redis/duplog.conf", Deployed.text("redis/duplog.conf"));
    write("/etc/redis/replication.conf", filled(Deployed.text("redis/replication.conf")));
    write(
        "/etc/redis/users.acl",
        users("redis/users.acl") + filled(Deployed.text("redis/users-replication.acl")));
    write("/etc/redis/sentinel-users.acl", users("redis/sentinel-users.acl"));
    for (int port : SENTINELS) {
      write(
          file(port),
          filled(Deployed.text("redis/sentinel.conf"))
                  .replace("@MASTER_ADDRESS@", host())
                  .replace("port 26379", "port " + port)
                  .replace(
                      "down-after-milliseconds duplog 2000", "down-after-milliseconds duplog 1000")
              + "daemonize yes\n");
    }
  }

  /** New servers, as soon as each could take the other's place. */
  public static SentineledRedis started() {
    SentineledRedis all = new SentineledRedis();
    all.launchRedis(FIRST, "");
    all.awaitListening(FIRST);
    all.launchRedis(SECOND, "--replicaof %s %d".formatted(all.host(), FIRST));
    all.awaitReplica(SECOND);
    for (int port : SENTINELS) {
      all.run("redis-server", file(port), "--sentinel");
      all.awaitListening(port);
      all.hasten(port);
    }
    all.awaitReady();
    return all;
  }

  /** Redis 7 can: its sentinels look at servers every ten seconds, and at each other every two. */
  private void hasten(int sentinel) {
    cli(sentinel, "sentinel", "debug", "info-period", "500", "publish-period", "500");
  }

  private static String file(int sentinel) {
    return "/var/lib/redis/sentinel-" + sentinel + ".conf";
  }

  private static String users(String file) {
    return filled(Deployed.text(file))
        + "user %s on >%s ~* &* +@all\n".formatted(Redis.TESTER, Redis.TESTERS_PASSWORD);
  }

  private static String filled(String text) {
    return text.replace("@BRIDGE_PASSWORD_SHA256@", sha256(Redis.PASSWORD))
        .replace("@OPERATOR_PASSWORD_SHA256@", sha256("of nobody"))
        .replace("@REPLICA_PASSWORD_SHA256@", sha256(PEERS_PASSWORD))
        .replace("@SENTINEL_PASSWORD_SHA256@", sha256(PEERS_PASSWORD))
        .replace("@REPLICA_PASSWORD@", PEERS_PASSWORD)
        .replace("@SENTINEL_PASSWORD@", PEERS_PASSWORD);
  }

  private static String sha256(String password) {
    return Hashing.sha256().hashString(password, StandardCharsets.UTF_8).toString();
  }

  private void launchRedis(int port, String more) {
    run(
        "sh",
        "-c",
        ("redis-server /etc/redis/duplog.conf --include /etc/redis/replication.conf --port %d"
                + " --dir /tmp --pidfile /tmp/redis-%1$d.pid --daemonize yes %s")
            .formatted(port, more));
  }

  /** Where the sentinels are, as a bridge's file has it: a list of host:port. */
  public String sentinels() {
    return SENTINELS.stream().map(port -> host() + ":" + port).toList().toString();
  }

  /** The master's port by the first sentinel. */
  public int masterPort() {
    String answer = cli(SENTINELS.get(0), "sentinel", "get-master-addr-by-name", "duplog");
    return Integer.parseInt(answer.lines().skip(1).findFirst().orElseThrow());
  }

  /** Kills the master, and returns at once. */
  public void killMaster() {
    run("sh", "-c", "kill -KILL $(cat /tmp/redis-%d.pid)".formatted(masterPort()));
  }

  /**
   * Has a sentinel change the roles of two servers that are well. The old master's connections are
   * cut by that, and it takes no more writes.
   */
  public void failOver() {
    cli(SENTINELS.get(0), "sentinel", "failover", "duplog");
  }

  /** Until each could take the other's place, and all sentinels know. */
  public void awaitReady() {
    for (int port : SENTINELS) {
      await("sentinel " + port + " knows all others")
          .atMost(PATIENCE)
          .ignoreExceptionsInstanceOf(IllegalStateException.class)
          .until(() -> knowsAll(port));
    }
  }

  private boolean knowsAll(int sentinel) {
    List<String> master = cli(sentinel, "sentinel", "master", "duplog").lines().toList();
    List<String> replicas = cli(sentinel, "sentinel", "replicas", "duplog").lines().toList();
    return fact(master, "num-other-sentinels").equals("2")
        && fact(master, "num-slaves").equals("1")
        && fact(master, "flags").equals("master")
        && fact(replicas, "flags").equals("slave")
        && fact(replicas, "master-link-status").equals("ok");
  }

  private void awaitReplica(int port) {
    await("the server at " + port + " is a replica")
        .atMost(PATIENCE)
        .ignoreExceptionsInstanceOf(IllegalStateException.class)
        .until(() -> cli(port, "info", "replication").contains("master_link_status:up"));
  }

  private static String fact(List<String> facts, String name) {
    int at = facts.indexOf(name);
    return at < 0 || at + 1 >= facts.size() ? "" : facts.get(at + 1);
  }

  /** What redis-cli prints, asked as somebody who may do everything. */
  private String cli(int port, String... arguments) {
    List<String> line = new ArrayList<>();
    line.addAll(List.of("redis-cli", "-p", Integer.toString(port), "--no-auth-warning"));
    line.addAll(List.of("--user", Redis.TESTER, "--pass", Redis.TESTERS_PASSWORD));
    line.addAll(List.of(arguments));
    return run(line.toArray(String[]::new)).stripTrailing();
  }
}
