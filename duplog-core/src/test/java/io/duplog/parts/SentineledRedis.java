package io.duplog.parts;

import static org.awaitility.Awaitility.await;

import com.google.common.hash.Hashing;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/**
 * Two Redis servers, the first one the master, and three sentinels that watch them, all in one
 * container, set up by the commands of {@code deploy/SENTINEL.md}: with what Debian configures, and
 * the files of {@code deploy/redis}. Only the ports differ, and how soon a master that is silent is
 * taken for down: after a second.
 */
public final class SentineledRedis extends Part {
  private static final String GUIDE = "SENTINEL.md";
  private static final String CHECKOUT = "/root/checkout";
  private static final int FIRST = 6379;
  private static final int SECOND = 6380;
  private static final List<Integer> SENTINELS = List.of(26379, 26380, 26381);

  private SentineledRedis() {
    super("DUPLOG_REDIS_IMAGE");
  }

  /** New servers, as soon as each could take the other's place. */
  public static SentineledRedis started() {
    SentineledRedis all = new SentineledRedis();
    all.becomeAllHosts();
    all.shell(Deployed.commands(GUIDE, "workstation"));
    all.shell(Deployed.commands(GUIDE, "redis"));
    all.admitTester("/etc/redis/users.acl");
    all.shell("cp /etc/redis/redis.conf " + file(FIRST));
    all.shell(Deployed.commands(GUIDE, "replica"));
    all.shell("cp /etc/redis/redis.conf " + file(SECOND));
    all.launchRedis(FIRST);
    all.launchRedis(SECOND);
    all.awaitReplica(SECOND);
    all.shell(Deployed.commands(GUIDE, "sentinels"));
    all.admitTester("/etc/redis/sentinel-users.acl");
    SENTINELS.forEach(all::launchSentinel);
    all.awaitReady();
    return all;
  }

  /** The workstation among them. What is installed here, and runs, is up to the test. */
  private void becomeAllHosts() {
    for (String command : List.of("apt-get", "systemctl")) {
      program(command, "exit 0");
    }
    program("scp", "mkdir -p \"${3#*:}\" && cp -r \"$2\"/. \"${3#*:}\"");
    copyIn(Deployed.path("redis"), CHECKOUT + "/deploy/redis");
    shell("echo '%s redis.example.net' >>/etc/hosts".formatted(host()));
    write("/root/duplog-pair/redis/redis.sha256", sha256(Redis.PASSWORD));
    write("/root/duplog-pair/redis/operator.sha256", sha256("of nobody"));
  }

  private void program(String name, String text) {
    write("/usr/local/bin/" + name, "#!/bin/sh\n" + text + "\n");
    run("chmod", "755", "/usr/local/bin/" + name);
  }

  private static String sha256(String password) {
    return Hashing.sha256().hashString(password, StandardCharsets.UTF_8).toString();
  }

  private void shell(String commands) {
    run("sh", "-ec", "cd " + CHECKOUT + "\n" + commands);
  }

  /** For {@link #cli}. */
  private void admitTester(String users) {
    shell(
        "echo 'user %s on >%s ~* &* +@all' >>%s"
            .formatted(Redis.TESTER, Redis.TESTERS_PASSWORD, users));
  }

  private static String file(int port) {
    return "/var/lib/redis/" + port + ".conf";
  }

  private void launchRedis(int port) {
    shell(
        "redis-server %s --port %d --daemonize yes --pidfile %s --logfile '' --dir /tmp"
            .formatted(file(port), port, pidFile(port)));
    awaitListening(port);
  }

  private static String pidFile(int port) {
    return "/tmp/redis-" + port + ".pid";
  }

  private void launchSentinel(int port) {
    String text = new String(read("/etc/redis/sentinel.conf"), StandardCharsets.UTF_8);
    write(
        file(port),
        text.replace("port 26379", "port " + port)
                .replace(
                    "down-after-milliseconds duplog 2000", "down-after-milliseconds duplog 1000")
            + "daemonize yes\n");
    run("redis-server", file(port), "--sentinel");
    awaitListening(port);
    hasten(port);
  }

  /** Redis 7 can: its sentinels look at servers every ten seconds, and at each other every two. */
  private void hasten(int sentinel) {
    cli(sentinel, "sentinel", "debug", "info-period", "500", "publish-period", "500");
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
    shell("kill -KILL $(cat %s)".formatted(pidFile(masterPort())));
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
