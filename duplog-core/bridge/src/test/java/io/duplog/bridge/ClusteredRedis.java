package io.duplog.bridge;

import com.google.common.base.Splitter;
import io.duplog.parts.Deployed;
import io.duplog.parts.Redis;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * Runs a Redis Cluster of three masters with a replica each in one container, for tests, configured
 * by {@code duplog init}. It speaks only TLS, and is changed by the commands of {@code
 * docs/scaling.md}. Only the ports differ, and a silent node is taken for lost after 20 s, since
 * all nodes share a machine that may be busy.
 */
public final class ClusteredRedis extends ReplicatedRedis {
  /** First port of the nodes: the page's 10.0.0.N:6379 is this port plus N. */
  private static final int PORTS = 7000;

  /** Port of the node that the page's commands ask. */
  private static final int FIRST_PORT = PORTS + 1;

  private static final int FIRST_NODES = 6;

  /** Line in which a node describes one that it knows by its id. */
  private static final String ACQUAINTED = ".*[0-9a-f]{40} \\S+ (myself,)?(master|slave) .*";

  private static final String TLS = "/etc/redis/tls/";

  /** Number of nodes that belong to the cluster, from node 1 on. */
  private int started;

  /** A line of {@code CLUSTER NODES} about a master that lives. */
  private static final Pattern MASTER =
      Pattern.compile("(\\S+) \\S+:(\\d+)@\\S+ (?:myself,)?master( .*)");

  /** Pattern of the slots, separated by commas, that redis-cli reports as being moved. */
  private static final Pattern OPEN =
      Pattern.compile("(?:migrating|importing) state (\\d+(?:,\\d+)*)");

  private record Node(String id, int port, String words) {
    static Node of(MatchResult line) {
      return new Node(line.group(1), Integer.parseInt(line.group(2)), line.group(3));
    }

    /** Slots are words such as 17 and 5461-10922, behind times and a state; others begin with [. */
    boolean has(int slot) {
      return Splitter.on(' ').splitToList(words).stream()
          .skip(6)
          .filter(range -> !range.startsWith("["))
          .map(range -> (range + "-" + range).split("-", -1))
          .anyMatch(ends -> slot >= Integer.parseInt(ends[0]) && slot <= Integer.parseInt(ends[1]));
    }
  }

  private ClusteredRedis() {
    super(FIRST_NODES, true);
  }

  /** Starts a cluster, and returns as soon as each replica could take its master's place. */
  public static ClusteredRedis started() {
    ClusteredRedis all = new ClusteredRedis();
    IntStream.rangeClosed(1, FIRST_NODES).forEach(all::launch);
    all.follow("create");
    all.awaitReady();
    return all;
  }

  private void launch(int node) {
    launchRedis(
        "/etc/redis/redis.conf", "--tls-port", PORTS + node, "--cluster-node-timeout", "20000");
    started = Math.max(started, node);
  }

  private String inOneContainer(String commands) {
    return commands
        .replace("/root/duplog-setup", "/root/setup")
        .replaceAll("10\\.0\\.0\\.([0-9])(:| -p )6379", host() + "$2" + (PORTS / 10) + "$1");
  }

  /** Runs the page's commands, and says yes where they ask. */
  public void follow(String place) {
    shell("echo yes | {\n" + inOneContainer(Deployed.commands("scaling.md", place)) + "}");
  }

  /**
   * Moves slots as the page says. On a fully busy machine, redis-cli may lose a connection and end
   * in the middle. This method then finishes the open moves and calls redis-cli again, as the page
   * says.
   */
  public void move(String place) {
    for (int left = 3; ; left--) {
      try {
        follow(place);
        return;
      } catch (IllegalStateException e) {
        if (left == 0) {
          throw e;
        }
        finishMoves();
      }
    }
  }

  /** Finishes the moves that were broken off. */
  public void finishMoves() {
    String cluster = "--cluster check %s:%d".formatted(host(), FIRST_PORT);
    String open = run("sh", "-c", "sh /root/setup/redis/cluster-cli " + cluster + " || true");
    OPEN.matcher(open)
        .results()
        .flatMap(words -> Splitter.on(',').splitToStream(words.group(1)))
        .map(Integer::valueOf)
        .distinct()
        .forEach(this::finishMove);
  }

  /** Finishes the move of a slot: as the page says if it has keys, which few slots have. */
  private void finishMove(int slot) {
    String commands =
        keys(slot).stream().anyMatch(line -> line.contains("duplog:"))
            ? Deployed.commands("scaling.md", "fix").replaceFirst("slot=\\d+", "slot=" + slot)
            : "cd /root/setup/redis\nsh cluster-cli --cluster fix 10.0.0.1:6379\n";
    shell("echo yes | {\n" + inOneContainer(commands) + "}");
  }

  /** Returns the nodes' addresses, as a bridge's file has them: a list of host:port. */
  public String addresses() {
    return IntStream.rangeClosed(1, started)
        .mapToObj(node -> host() + ":" + (PORTS + node))
        .toList()
        .toString();
  }

  /** Returns the section {@code tls} of a bridge's file. */
  public String tls() {
    return "{ca: %s/ca.pem, certificate: %1$s/client.pem, key: %1$s/client.key}"
        .formatted(bridge().resolve("tls"));
  }

  /**
   * Waits until all nodes that belong to the cluster know each other, and replicas have what their
   * masters have.
   */
  public void awaitReady() {
    awaitThat(
        "all nodes are ready",
        () ->
            count("[MS]: .*", "check") == started
                && count(ACQUAINTED, "call", "cluster", "nodes") == started * started
                && count("role:master|master_link_status:up", "call", "info", "replication")
                    == started);
  }

  /** Returns how many lines of redis-cli about all nodes match. */
  private int count(String like, String command, String... arguments) {
    return (int) manage(command, arguments).filter(line -> line.matches(like)).count();
  }

  /** Returns what redis-cli prints of all nodes. */
  private Stream<String> manage(String command, String... arguments) {
    List<String> line = new ArrayList<>(List.of("sh", "/root/setup/redis/cluster-cli"));
    line.addAll(List.of("--cluster", command, host() + ":" + FIRST_PORT));
    line.addAll(List.of(arguments));
    return run(line.toArray(String[]::new)).lines().map(String::strip);
  }

  /**
   * Returns the ports of the masters that have these slots, by a node that has not been killed; 0
   * where no master has one.
   */
  public List<Integer> mastersOf(List<Integer> slots) {
    List<Node> masters = masters();
    return slots.stream()
        .map(slot -> masters.stream().filter(node -> node.has(slot)).findFirst())
        .map(master -> master.map(Node::port).orElse(0))
        .toList();
  }

  private List<Node> masters() {
    String nodes = cli(FIRST_PORT, "cluster", "nodes");
    return MASTER.matcher(nodes).results().map(Node::of).toList();
  }

  /** Kills a node, and returns at once. */
  public void kill(int port) {
    if (port == FIRST_PORT) {
      throw new IllegalArgumentException("the page's commands ask node 1");
    }
    killRedis(port);
  }

  /** Starts a node again that was killed. It remembers only who the others are. */
  public void startAgain(int port) {
    launch(port - PORTS);
  }

  /**
   * Adds a master without slots and its replica. Returns when all nodes know both, and the replica
   * could take the master's place.
   */
  public void addMaster() {
    for (String place : List.of("add", "add-replica")) {
      launch(started + 1);
      follow(place);
      awaitReady();
    }
  }

  /** Takes out what {@link #addMaster} added; both go on running, as a cluster of nobody. */
  public void removeAddedMaster() {
    move("drain");
    follow("remove");
    started -= 2;
    awaitReady();
  }

  /**
   * Begins to move a slot to a master that has not had it, as {@code redis-cli --cluster reshard}
   * does. Breaks off with half of the keys at each of them.
   */
  public void moveHalfWay(int slot) {
    List<Node> masters = masters();
    Node from = masters.stream().filter(node -> node.has(slot)).findFirst().orElseThrow();
    Node to = masters.stream().filter(node -> !node.has(slot)).findFirst().orElseThrow();
    String number = Integer.toString(slot);
    cli(to.port(), "cluster", "setslot", number, "importing", from.id());
    cli(from.port(), "cluster", "setslot", number, "migrating", to.id());
    List<String> keys =
        cli(from.port(), "cluster", "getkeysinslot", number, "10000").lines().toList();
    List<String> migrate = new ArrayList<>();
    migrate.addAll(List.of("migrate", host(), Integer.toString(to.port()), "", "0", "5000"));
    migrate.addAll(List.of("auth2", Redis.TESTER, Redis.TESTERS_PASSWORD, "keys"));
    migrate.addAll(keys.subList(0, keys.size() / 2));
    cli(from.port(), migrate.toArray(String[]::new));
  }

  /** Returns what each master says it has in a slot, which may be on its way. */
  public List<String> keys(int slot) {
    String number = Integer.toString(slot);
    return manage("call", "cluster", "getkeysinslot", number, "10000", "--cluster-only-masters")
        .sorted()
        .toList();
  }

  /** Returns what redis-cli prints of commands, a line for each, whichever master they are for. */
  public List<String> answers(List<String> commands) {
    return run(
            "sh",
            "-c",
            "echo '%s' | %s -c"
                .formatted(String.join("\n", commands), String.join(" ", client(FIRST_PORT))))
        .lines()
        .filter(line -> !line.startsWith("-> Redirected"))
        .toList();
  }

  @Override
  List<String> client(int port) {
    List<String> line = super.client(port);
    line.addAll(List.of("--tls", "--cacert", TLS + "ca.pem"));
    line.addAll(List.of("--cert", TLS + "redis.pem", "--key", TLS + "redis.key"));
    return line;
  }
}
