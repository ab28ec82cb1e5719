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
 * Which server has which slots, as a node of the cluster knows it.
 *
 * @param epoch of the latest change that the node has heard of: a failover, or a slot that has
 *     moved
 * @param state {@code ok} where it sees the cluster at work: not so where it is cut off from most
 *     of it
 */
record RedisClusterMap(List<Range> ranges, long epoch, String state) {

  /**
   * Slots that one master has, and its replicas.
   *
   * @param last is in it
   */
  record Range(int first, int last, HostAndPort master, List<HostAndPort> replicas) {}

  RedisClusterMap {
    ranges = List.copyOf(ranges);
  }

  /**
   * Asks a node.
   *
   * @throws JedisException where it says nothing
   * @throws IllegalArgumentException where it says something else
   */
  static RedisClusterMap of(Jedis node, HostAndPort place) {
    // In this order: a map may be newer than its epoch, and should not be older.
    Map<String, String> facts = RedisFacts.fields(node.clusterInfo());
    return new RedisClusterMap(
        ranges(node.sendCommand(Protocol.Command.CLUSTER, "SLOTS"), place),
        Long.parseLong(facts.getOrDefault("cluster_current_epoch", "0")),
        facts.getOrDefault("cluster_state", "?"));
  }

  /** Whether the node sees the cluster at work. */
  boolean isWell() {
    return state.equals("ok");
  }

  /**
   * Reads what {@code CLUSTER SLOTS} answers: {@code [[first, last, [host, port, ...], ...], ...]},
   * of which the first node is the master.
   *
   * @param asked whose answer it is: a node that does not know its own name leaves it out
   * @throws IllegalArgumentException where it is something else
   */
  private static List<Range> ranges(Object answer, HostAndPort asked) {
    List<Range> ranges = new ArrayList<>();
    for (Object range : list(answer)) {
      List<?> parts = list(range);
      List<HostAndPort> nodes =
          parts.stream().skip(2).map(node -> node(list(node), asked)).toList();
      if (nodes.isEmpty()) { // also where the range itself is missing
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

  /** Where a node is that has this host by what another one says. */
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

  /** Null where no server has the slot. */
  @Nullable HostAndPort master(int slot) {
    for (Range range : ranges) {
      if (slot >= range.first() && slot <= range.last()) {
        return range.master();
      }
    }
    return null;
  }

  /** Every server that has slots. */
  Set<HostAndPort> masters() {
    Set<HostAndPort> masters = new LinkedHashSet<>();
    ranges.forEach(range -> masters.add(range.master()));
    return masters;
  }

  /** Every node that can be asked. */
  Set<HostAndPort> nodes() {
    Set<HostAndPort> nodes = masters();
    ranges.forEach(range -> nodes.addAll(range.replicas()));
    return nodes;
  }
}
