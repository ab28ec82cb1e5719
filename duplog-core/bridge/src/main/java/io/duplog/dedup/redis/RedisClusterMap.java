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
 * Which server has which slots, according to one node of the cluster.
 *
 * @param epoch number of the latest change that the node has heard of: a failover or a moved slot
 * @param state {@code ok} if the node sees the cluster at work, and not if it is cut off from most
 *     of it
 */
record RedisClusterMap(List<Range> ranges, long epoch, String state) {

  /**
   * Consecutive slots of one master, with the replicas of that master.
   *
   * @param last the last slot, inclusive
   */
  record Range(int first, int last, HostAndPort master, List<HostAndPort> replicas) {}

  /**
   * Asks a node for its map.
   *
   * @throws JedisException if the node does not answer
   * @throws IllegalArgumentException if the answer has an unknown form
   */
  static RedisClusterMap of(Jedis node, HostAndPort place) {
    // The epoch is read first, because the map may be newer than the epoch but should not be older.
    Map<String, String> facts = RedisFacts.fields(node.clusterInfo());
    return new RedisClusterMap(
        ranges(node.sendCommand(Protocol.Command.CLUSTER, "SLOTS"), place),
        Long.parseLong(facts.getOrDefault("cluster_current_epoch", "0")),
        facts.getOrDefault("cluster_state", "?"));
  }

  /** Whether the node reports {@code cluster_state:ok}. */
  boolean isWell() {
    return state.equals("ok");
  }

  /**
   * Parses the answer to {@code CLUSTER SLOTS}: {@code [[first, last, [host, port, ...], ...],
   * ...]}. The first node of each range is the master.
   *
   * @param asked the node that answered. It leaves out its own host if it does not know that.
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
    throw new IllegalArgumentException("not what CLUSTER SLOTS answers");
  }

  private static int number(Object answer) {
    if (answer instanceof Long number) {
      return number.intValue();
    }
    throw new IllegalArgumentException("not what CLUSTER SLOTS answers");
  }

  /** Returns the master that has a slot; null if no master has it. */
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
    Set<HostAndPort> masters = new LinkedHashSet<>();
    ranges.forEach(range -> masters.add(range.master()));
    return masters;
  }

  /** Returns all masters that have slots, and their replicas. */
  Set<HostAndPort> nodes() {
    Set<HostAndPort> nodes = masters();
    ranges.forEach(range -> nodes.addAll(range.replicas()));
    return nodes;
  }
}
