package io.duplog.bridge;

import io.duplog.parts.Deployed;
import java.util.List;

/**
 * Runs a Redis master, its replica and three sentinels in one container for tests, configured by
 * {@code duplog init}. Only the ports differ, and when a silent master is taken for down: after 10
 * s, since a busy machine may delay it by seconds.
 */
public final class SentineledRedis extends ReplicatedRedis {
  private static final int FIRST = 6379;
  private static final int SECOND = 6380;
  private static final List<Integer> SENTINELS = List.of(26379, 26380, 26381);

  private SentineledRedis() {
    super(2, false);
  }

  /** Starts the servers, and returns as soon as each could take the other's place. */
  public static SentineledRedis started() {
    SentineledRedis all = new SentineledRedis();
    all.prepare(all.host(), FIRST);
    all.prepare("redis-2.example", SECOND);
    all.launchRedis(file(FIRST), "--port", FIRST);
    all.launchRedis(file(SECOND), "--port", SECOND);
    awaitThat(
        "the second is a replica",
        () -> all.cli(SECOND, "info", "replication").contains("master_link_status:up"));
    all.admitTester("/etc/redis/sentinel-users.acl");
    SENTINELS.forEach(all::launchSentinel);
    awaitThat("each could take the other's place", all::isReady);
    return all;
  }

  private void prepare(String host, int port) {
    String master = Deployed.read(written(host, "redis/replicaof"));
    shell("cp /etc/redis/redis.conf %s; echo '%s' >>%1$s".formatted(file(port), master.strip()));
  }

  private static String file(int port) {
    return "/var/lib/redis/" + port + ".conf";
  }

  private void launchSentinel(int port) {
    String text = Deployed.read(written(host(), "redis/duplog-sentinel.conf"));
    write(
        file(port),
        text.replace("port 26379", "port " + port)
                .replace(
                    "down-after-milliseconds duplog 2000", "down-after-milliseconds duplog 10000")
            + "daemonize yes\n");
    run("redis-server", file(port), "--sentinel");
    awaitListening(port);
    hasten(port);
  }

  /** Redis 7 can: its sentinels look at servers every ten seconds, and at each other every two. */
  private void hasten(int sentinel) {
    cli(sentinel, "sentinel", "debug", "info-period", "500", "publish-period", "500");
  }

  /** Returns the sentinels' addresses, as a bridge's file has them: a list of host:port. */
  public String sentinels() {
    return SENTINELS.stream().map(port -> host() + ":" + port).toList().toString();
  }

  /** Returns the master's port by the first sentinel. */
  public int masterPort() {
    String answer = cli(SENTINELS.get(0), "sentinel", "get-master-addr-by-name", "duplog");
    return Integer.parseInt(answer.lines().skip(1).findFirst().orElseThrow());
  }

  /** Kills the master, and returns at once. */
  public void killMaster() {
    killRedis(masterPort());
  }

  /**
   * Has a sentinel change the roles of two healthy servers. This cuts the old master's connections,
   * and that server accepts no further writes.
   */
  public void failOver() {
    cli(SENTINELS.get(0), "sentinel", "failover", "duplog");
  }

  /** Returns how many failovers there have been, by the first sentinel. */
  public String failovers() {
    String master = cli(SENTINELS.get(0), "sentinel", "master", "duplog");
    return master.replaceFirst("(?s).*\nconfig-epoch\n(\\d+)\n.*", "$1");
  }

  /** Whether each could take the other's place, and all sentinels know. */
  public boolean isReady() {
    return SENTINELS.stream().allMatch(this::knowsAll);
  }

  private boolean knowsAll(int sentinel) {
    String replicas = cli(sentinel, "sentinel", "replicas", "duplog");
    return cli(sentinel, "info", "sentinel").endsWith(",slaves=1,sentinels=3")
        && cli(sentinel, "sentinel", "master", "duplog").contains("\nflags\nmaster\n")
        && replicas.contains("\nflags\nslave\n")
        && replicas.contains("\nmaster-link-status\nok\n");
  }
}
