package io.duplog.dedup.redis;

import io.duplog.dedup.LedgerUnavailableException;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import redis.clients.jedis.HostAndPort;
import redis.clients.jedis.exceptions.JedisException;

/** Asks a Redis Cluster about its nodes, masters and replicas, for the doctor. */
final class RedisClusterInspection {
  private final RedisStore store;
  private final RedisConfig.Cluster cluster;
  private final RedisServer.Login login;
  private final List<RedisClusterFacts.Node> nodes = new ArrayList<>();

  /**
   * Slot map of the first node that reports a working cluster; if there is none, of another node.
   * Null until a node has answered.
   */
  private @Nullable RedisMap map;

  RedisClusterInspection(RedisStore store, RedisConfig.Cluster cluster) {
    this.store = store;
    this.cluster = cluster;
    this.login = store.config().login(store.connections());
  }

  /**
   * Queries the nodes and the masters.
   *
   * @throws LedgerUnavailableException if no node says where the slots are
   */
  RedisClusterFacts inspect() throws LedgerUnavailableException {
    for (HostAndPort place : RedisGuide.configured(store.config())) {
      nodes.add(node(place));
    }
    RedisMap found = map;
    if (found == null) {
      throw new LedgerUnavailableException(
          "Redis unavailable (no node of the %s says where the slots are: %s)"
              .formatted(cluster.address(), nodes.get(0).silence()),
          null,
          false);
    }
    List<Integer> slots = store.prefixes().stream().map(RedisSlot::slotOf).toList();
    List<RedisClusterFacts.Master> masters = new ArrayList<>();
    for (HostAndPort master : found.masters()) {
      masters.add(
          master(
              master,
              partsAt(master, slots, found),
              (int)
                  found.ranges().stream()
                      .filter(range -> range.master().equals(master))
                      .flatMap(range -> range.replicas().stream())
                      .distinct()
                      .count()));
    }
    return new RedisClusterFacts(store.parts(), nodes, masters, partsAt(null, slots, found));
  }

  private static List<Integer> partsAt(
      @Nullable HostAndPort place, List<Integer> slots, RedisMap map) {
    return IntStream.range(0, slots.size())
        .filter(part -> Objects.equals(place, map.master(slots.get(part))))
        .boxed()
        .toList();
  }

  private RedisClusterFacts.Node node(HostAndPort place) {
    try (RedisGuide node = new RedisGuide(place, store.config(), login)) {
      try {
        RedisMap own = RedisMap.ofNode(node.open(), place);
        if (map == null
            || map.ranges().isEmpty()
            || (!map.isHealthy() && !own.ranges().isEmpty())) {
          map = own;
        }
        return new RedisClusterFacts.Node(place.toString(), own.state(), null);
      } catch (JedisException | IllegalArgumentException e) {
        return new RedisClusterFacts.Node(place.toString(), "", node.cause(e));
      }
    }
  }

  private RedisClusterFacts.Master master(HostAndPort place, List<Integer> parts, int replicas) {
    try (RedisServer server = new RedisServer(place, login)) {
      RedisFacts facts = server.ask(RedisInspection::look);
      return new RedisClusterFacts.Master(place.toString(), parts, replicas, facts, null);
    } catch (LedgerUnavailableException e) {
      return new RedisClusterFacts.Master(place.toString(), parts, replicas, null, e.getMessage());
    }
  }
}
