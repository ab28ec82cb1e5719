package io.duplog.dedup.redis;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import redis.clients.jedis.HostAndPort;
import redis.clients.jedis.Jedis;
import redis.clients.jedis.Protocol;
import redis.clients.jedis.exceptions.JedisException;

/**
 * Maps slots to the Redis servers that have them, as one sentinel or one node of the cluster
 * reports it.
 *
 * @param guides the nodes of the cluster, which are all guides, or empty if a sentinel has answered
 * @param epoch number of the latest change that the guide has heard of: a failover or a moved slot
 * @param state {@code ok} if a node sees a working cluster, which it does not if it is cut off from
 *     most nodes. Empty for a sentinel, which does not report this.
 */
record RedisMap(List<Range> ranges, Set<HostAndPort> guides, long epoch, String state) {

  /**
   * Consecutive slots of one master, with the replicas of that master.
   *
   * @param last the last slot, inclusive
   */
  record Range(int first, int last, HostAndPort master, List<HostAndPort> replicas) {}

  /**
   * Asks a node of a cluster for its map.
   *
   * @throws JedisException if the node does not answer
   * @throws IllegalArgumentException if the answer has an unknown form
   */
  static RedisMap ofNode(Jedis node, HostAndPort place) {
    // The epoch is read first, because the map may be newer than the epoch but not older.
    Map<String, String> facts = RedisFacts.fields(node.clusterInfo());
    long epoch = Long.parseLong(facts.getOrDefault("cluster_current_epoch", "0"));
    List<Range> ranges = ranges(node.sendCommand(Protocol.Command.CLUSTER, "SLOTS"), place);
    Set<HostAndPort> nodes = masters(ranges);
    ranges.forEach(range -> nodes.addAll(range.replicas()));
    return new RedisMap(ranges, nodes, epoch, facts.getOrDefault("cluster_state", "?"));
  }

  /**
   * Asks a sentinel for a map in which the master has all slots.
   *
   * @param master the master's name among the sentinels
   * @throws JedisException if the sentinel does not answer, or does not know the master
   * @throws IllegalArgumentException if the answer has an unknown form
   */
  static RedisMap ofSentinel(Jedis sentinel, String master) {
    // The epoch is read first, as in a cluster.
    Map<String, String> facts = sentinel.sentinelMaster(master);
    long epoch = Long.parseLong(facts.getOrDefault("config-epoch", "0"));
    List<String> found = sentinel.sentinelGetMasterAddrByName(master);
    if (found == null || found.size() != 2) {
      throw new JedisException("it does not know a master of that name");
    }
    HostAndPort place = new HostAndPort(found.get(0), Integer.parseInt(found.get(1)));
    Range all = new Range(0, RedisStore.SLOTS - 1, place, List.of());
    return new RedisMap(List.of(all), Set.of(), epoch, "");
  }

  /** Whether the node reports {@code cluster_state:ok}. */
  boolean isHealthy() {
    return state.equals("ok");
  }

  /**
   * Parses the answer to {@code CLUSTER SLOTS}: {@code [[first, last, [host, port, ...], ...],
   * ...]}. The first node of each range is the master.
   *
   * @param asked the node that answered. It leaves out its own host if it does not know it.
   * @throws IllegalArgumentException if the answer has another form
   */
  private static List<Range> ranges(Object answer, HostAndPort asked) {
    List<Range> ranges = new ArrayList<>();
    for (Object range : list(answer)) {
      List<?> parts = list(range);
      List<HostAndPort> nodes =
          parts.stream().skip(2).map(node -> node(list(node), asked)).toList();
      if (nodes.isEmpty()) { // also if the range itself is missing
        throw new IllegalArgumentException("slots without a server");
      }
      ranges.add(
          new Range(
              number(parts.get(0)),
              number(parts.get(1)),
              nodes.get(0),
              List.copyOf(nodes.subList(1, nodes.size()))));
    }
    return ranges;
  }

  private static HostAndPort node(List<?> node, HostAndPort asked) {
    if (node.size() < 2) {
      throw new IllegalArgumentException("a server without an address");
    }
    return place(
        node.get(0) instanceof byte[] name ? new String(name, UTF_8) : "",
        number(node.get(1)),
        asked);
  }

  /**
   * Returns the address of a node. If the host is left out, it is the host of the node that was
   * asked.
   */
  static HostAndPort place(String host, int port, HostAndPort asked) {
    return new HostAndPort(host.isEmpty() || host.equals("?") ? asked.getHost() : host, port);
  }

  private static List<?> list(Object answer) {
    if (answer instanceof List<?> list) {
      return list;
    }
    throw new IllegalArgumentException("not an answer of CLUSTER SLOTS");
  }

  private static int number(Object answer) {
    if (answer instanceof Long number) {
      return number.intValue();
    }
    throw new IllegalArgumentException("not an answer of CLUSTER SLOTS");
  }

  /** Returns the master that has a slot, or null if no master has it. */
  @Nullable HostAndPort master(int slot) {
    for (Range range : ranges) {
      if (slot >= range.first() && slot <= range.last()) {
        return range.master();
      }
    }
    return null;
  }

  /** Returns all masters that have slots. */
  Set<HostAndPort> masters() {
    return masters(ranges);
  }

  private static Set<HostAndPort> masters(List<Range> ranges) {
    Set<HostAndPort> masters = new LinkedHashSet<>();
    ranges.forEach(range -> masters.add(range.master()));
    return masters;
  }
}
