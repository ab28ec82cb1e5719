package io.duplog.benchmark.lab;

import com.google.common.base.Splitter;
import io.duplog.rig.Command;
import io.duplog.rig.LabDirectory;
import io.duplog.rig.LabException;
import io.duplog.rig.Ports;
import io.duplog.rig.RedisProcess;
import io.duplog.rig.Server;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

/**
 * Runs a Redis Cluster of three masters with one replica each, for the bridges of a lab. A replica
 * is promoted after its master has been silent for a second. Each node starts with the {@code
 * nodes.conf} that {@code redis-cli --cluster create} would produce.
 */
public final class LabRedisCluster implements Store {
  /** Number of masters. If a ledger had fewer parts, at least one master would be idle. */
  public static final int MASTERS = 3;

  private static final String CLUSTER_SETTINGS =
      """
      cluster-enabled yes
      cluster-port %d
      cluster-config-file nodes.conf
      cluster-node-timeout 1000
      cluster-require-full-coverage no
      cluster-replica-validity-factor 0
      repl-diskless-sync-delay 0
      """;

  private static final String RESHARD_COMMAND =
      "redis-cli --cluster reshard 127.0.0.1:%d --cluster-from %s --cluster-to %s"
          + " --cluster-slots %d --cluster-yes";

  private static final int SLOT_COUNT = 16_384;
  private static final Duration RESHARD_TIMEOUT = Duration.ofMinutes(2);

  private final List<RedisProcess> nodes = new ArrayList<>();
  private final Command cli;

  /** The ports of a node. Nodes communicate over the bus port. */
  private record NodePorts(int port, int busPort) {}

  LabRedisCluster(LabDirectory directory, Ports ports) throws LabException {
    List<NodePorts> nodePorts = new ArrayList<>();
    for (int i = 0; i < 2 * MASTERS; i++) {
      nodePorts.add(new NodePorts(ports.next(), ports.next()));
    }
    for (int i = 0; i < nodePorts.size(); i++) {
      String name = "redis-" + (i + 1);
      LabDirectory.write(directory.make(name).resolve("nodes.conf"), nodesConf(i, nodePorts));
      String clusterSettings = CLUSTER_SETTINGS.formatted(nodePorts.get(i).busPort());
      nodes.add(Store.server(directory, name, nodePorts.get(i).port(), clusterSettings, null));
    }
    cli = new Command(directory, "redis-cli", Map.of(), RESHARD_TIMEOUT);
  }

  /**
   * Returns the content of a node's {@code nodes.conf}: masters first, with equal shares of slots.
   */
  private static String nodesConf(int node, List<NodePorts> nodePorts) {
    StringBuilder lines = new StringBuilder();
    for (int i = 0; i < nodePorts.size(); i++) {
      boolean master = i < MASTERS;
      lines
          .append(id(i))
          .append(
              " 127.0.0.1:%d@%d ".formatted(nodePorts.get(i).port(), nodePorts.get(i).busPort()))
          .append(i == node ? "myself," : "")
          .append(master ? "master - " : "slave " + id(i - MASTERS) + " ")
          .append("0 0 %d connected".formatted(i % MASTERS + 1))
          .append(
              master
                  ? " %d-%d".formatted(i * SLOT_COUNT / MASTERS, (i + 1) * SLOT_COUNT / MASTERS - 1)
                  : "")
          .append('\n');
    }
    return lines + "vars currentEpoch %d lastVoteEpoch 0\n".formatted(MASTERS);
  }

  /** Returns the id of a node as 40 hexadecimal digits. */
  private static String id(int node) {
    return "%040x".formatted(node + 1);
  }

  @Override
  public RedisProcess master() throws IOException {
    return masters().get(0);
  }

  /** Returns the masters that have slots, the one with the most keys first. */
  private List<RedisProcess> masters() throws IOException {
    record MasterKeys(RedisProcess node, long keys) {}
    List<MasterKeys> masters = new ArrayList<>();
    for (RedisProcess node : nodes) {
      if (slotsOf(node, node) > 0) {
        masters.add(new MasterKeys(node, keysOf(node)));
      }
    }
    return masters.stream()
        .sorted(Comparator.comparingLong(MasterKeys::keys).reversed())
        .map(MasterKeys::node)
        .toList();
  }

  private static long keysOf(RedisProcess node) throws IOException {
    return Long.parseLong(node.command("DBSIZE"));
  }

  /**
   * Whether a node has lost all its slots. Asks another node, because the lost one may be silent.
   */
  @Override
  public boolean hasReplaced(RedisProcess lost) throws IOException {
    RedisProcess other = nodes.stream().filter(each -> each != lost).findFirst().orElseThrow();
    return slotsOf(lost, other) == 0;
  }

  /** Returns the number of a node's slots according to the node {@code witness}. */
  private int slotsOf(RedisProcess node, RedisProcess witness) throws IOException {
    return witness
        .command("CLUSTER", "NODES")
        .lines()
        .map(line -> line.split(" ", -1))
        .filter(words -> words[0].equals(id(nodes.indexOf(node))))
        .mapToInt(LabRedisCluster::parseSlots)
        .sum();
  }

  /**
   * Returns the number of slots in a line of {@code CLUSTER NODES}. Such a line lists ranges such
   * as 0-5460 after eight other words.
   */
  private static int parseSlots(String[] words) {
    return IntStream.range(8, words.length)
        .mapToObj(i -> words[i])
        .filter(range -> !range.startsWith("["))
        .map(range -> range.split("-", -1))
        .mapToInt(ends -> Integer.parseInt(ends[ends.length - 1]) - Integer.parseInt(ends[0]) + 1)
        .sum();
  }

  @Override
  public void reshard() throws LabException, IOException, InterruptedException {
    List<RedisProcess> masters = masters();
    RedisProcess from = masters.get(0);
    RedisProcess to = masters.get(masters.size() - 1);
    int size = slotsOf(from, from) - 1;
    long keysBefore = keysOf(from);
    String command =
        RESHARD_COMMAND.formatted(
            from.port(), id(nodes.indexOf(from)), id(nodes.indexOf(to)), size);
    cli.run("redis-cli --cluster reshard", Splitter.on(' ').splitToList(command));
    if (keysOf(from) >= keysBefore) {
      throw new LabException("none of the %d keys of %s moved".formatted(keysBefore, from));
    }
  }

  @Override
  public Map<String, String> settings() {
    List<Integer> ports = nodes.stream().map(RedisProcess::port).toList();
    return Map.of("dedup.redis.cluster.addresses", Store.addresses(ports));
  }

  @Override
  public List<Server> independentServers() {
    return nodes.stream().map(RedisProcess::server).toList();
  }
}
