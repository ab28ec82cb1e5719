package io.duplog.parts;

import static org.awaitility.Awaitility.await;

import com.google.common.base.Splitter;
import com.google.common.hash.Hashing;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

/**
 * A Redis Cluster of three masters with a replica each, all in one container, with the
 * configuration and the users of {@code deploy/redis}. Only the ports differ, and how soon a node
 * that is silent is taken for lost: after a second.
 */
public final class ClusteredRedis extends Part {
  private static final List<Integer> PORTS = IntStream.range(7000, 7006).boxed().toList();
  private static final String PEERS_PASSWORD = "password-of-peers";

  /** A line of {@code CLUSTER NODES}. */
  private record Node(String id, int port, List<String> flags, List<String> slots) {
    static Node of(String line) {
      List<String> words = Splitter.on(' ').splitToList(line);
      String address = words.get(1).substring(0, words.get(1).indexOf('@'));
      return new Node(
          words.get(0),
          Integer.parseInt(address.substring(address.lastIndexOf(':') + 1)),
          Splitter.on(',').splitToList(words.get(2)),
          words.subList(8, words.size()));
    }

    boolean lives() {
      return flags.stream().noneMatch(flag -> flag.startsWith("fail"));
    }

    boolean isMaster() {
      return flags.contains("master");
    }

    boolean has(int slot) {
      return slots.stream()
          .filter(range -> !range.startsWith("["))
          .anyMatch(
              range -> {
                List<String> ends = Splitter.on('-').splitToList(range);
                return slot >= Integer.parseInt(ends.get(0))
                    && slot <= Integer.parseInt(ends.get(ends.size() - 1));
              });
    }
  }

  private ClusteredRedis() {
    super("DUPLOG_REDIS_IMAGE");
    write("/etc/redis/duplog.conf", Deployed.text("redis/duplog.conf"));
    write("/etc/redis/replication.conf", filled(Deployed.text("redis/replication.conf")));
    write("/etc/redis/cluster.conf", Deployed.text("redis/cluster.conf"));
    write(
        "/etc/redis/users.acl",
        filled(Deployed.text("redis/users.acl"))
            + filled(Deployed.text("redis/users-replication.acl"))
            + "user %s on >%s ~* &* +@all\n".formatted(Redis.TESTER, Redis.TESTERS_PASSWORD));
  }

  /** A new cluster, as soon as each replica could take its master's place. */
  public static ClusteredRedis started() {
    ClusteredRedis all = new ClusteredRedis();
    for (int port : PORTS) {
      all.run(
          "sh",
          "-c",
          ("redis-server /etc/redis/duplog.conf --include /etc/redis/replication.conf"
                  + " --include /etc/redis/cluster.conf --port %d --dir /tmp"
                  + " --cluster-config-file nodes-%1$d.conf --cluster-node-timeout 1000"
                  + " --pidfile /tmp/redis-%1$d.pid --daemonize yes")
              .formatted(port));
    }
    PORTS.forEach(all::awaitListening);
    List<String> create = new ArrayList<>(List.of("--cluster", "create"));
    PORTS.forEach(port -> create.add(all.host() + ":" + port));
    create.addAll(List.of("--cluster-replicas", "1", "--cluster-yes"));
    all.cli(PORTS.get(0), create.toArray(String[]::new));
    all.awaitReady();
    return all;
  }

  private static String filled(String text) {
    return text.replace("@BRIDGE_PASSWORD_SHA256@", sha256(Redis.PASSWORD))
        .replace("@OPERATOR_PASSWORD_SHA256@", sha256("of nobody"))
        .replace("@REPLICA_PASSWORD_SHA256@", sha256(PEERS_PASSWORD))
        .replace("@SENTINEL_PASSWORD_SHA256@", sha256(PEERS_PASSWORD))
        .replace("@REPLICA_PASSWORD@", PEERS_PASSWORD);
  }

  private static String sha256(String password) {
    return Hashing.sha256().hashString(password, StandardCharsets.UTF_8).toString();
  }

  /** Where the nodes are, as a bridge's file has it: a list of host:port. */
  public String addresses() {
    return PORTS.stream().map(port -> host() + ":" + port).toList().toString();
  }

  private void awaitReady() {
    for (int port : PORTS) {
      await("node " + port + " is ready")
          .atMost(PATIENCE)
          .ignoreExceptionsInstanceOf(IllegalStateException.class)
          .until(
              () ->
                  cli(port, "cluster", "info").contains("cluster_state:ok")
                      && (cli(port, "info", "replication").contains("role:master")
                          || cli(port, "info", "replication").contains("master_link_status:up")));
    }
  }

  /** The port of the master that has a slot, by a node that has not been killed. */
  public int masterOf(int slot) {
    return master(slot).port();
  }

  private Node master(int slot) {
    return nodes().stream()
        .filter(node -> node.isMaster() && node.lives() && node.has(slot))
        .findFirst()
        .orElseThrow(() -> new IllegalStateException("nobody has slot " + slot));
  }

  private List<Node> nodes() {
    for (int port : PORTS) {
      try {
        return cli(port, "cluster", "nodes").lines().map(Node::of).toList();
      } catch (IllegalStateException e) {
        // it was killed
      }
    }
    throw new IllegalStateException("no node answers");
  }

  /** Kills a node, and returns at once. */
  public void kill(int port) {
    run("sh", "-c", "kill -KILL $(cat /tmp/redis-%d.pid)".formatted(port));
  }

  /**
   * Moves a slot with all its keys to a master that has not had it, as {@code redis-cli --cluster
   * reshard} does.
   *
   * @param meanwhile runs while the slot is on its way, before its keys are
   */
  public void move(int slot, Runnable meanwhile) {
    Node from = master(slot);
    List<Node> masters = nodes().stream().filter(node -> node.isMaster() && node.lives()).toList();
    Node to = masters.stream().filter(node -> !node.has(slot)).findFirst().orElseThrow();
    String number = Integer.toString(slot);
    cli(to.port(), "cluster", "setslot", number, "importing", from.id());
    cli(from.port(), "cluster", "setslot", number, "migrating", to.id());
    meanwhile.run();
    for (String key : keys(from.port(), slot)) {
      cli(
          from.port(),
          "migrate",
          host(),
          Integer.toString(to.port()),
          key,
          "0",
          "5000",
          "auth2",
          Redis.TESTER,
          Redis.TESTERS_PASSWORD);
    }
    if (!keys(from.port(), slot).isEmpty()) {
      throw new IllegalStateException("somebody wrote while the slot was moved");
    }
    cli(to.port(), "cluster", "setslot", number, "node", to.id());
    for (Node master : masters) {
      cli(master.port(), "cluster", "setslot", number, "node", to.id());
    }
  }

  /** What a server has in a slot. */
  public List<String> keys(int port, int slot) {
    String keys = cli(port, "cluster", "getkeysinslot", Integer.toString(slot), "10000");
    return keys.isEmpty() ? List.of() : keys.lines().toList();
  }

  /** What redis-cli prints, asked as somebody who may do everything. */
  public String cli(int port, String... arguments) {
    List<String> line = new ArrayList<>();
    line.addAll(List.of("redis-cli", "-p", Integer.toString(port), "--no-auth-warning"));
    line.addAll(List.of("--user", Redis.TESTER, "--pass", Redis.TESTERS_PASSWORD));
    line.addAll(List.of(arguments));
    return run(line.toArray(String[]::new)).stripTrailing();
  }
}
