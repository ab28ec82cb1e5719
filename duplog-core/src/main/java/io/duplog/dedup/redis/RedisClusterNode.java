package io.duplog.dedup.redis;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.duplog.observe.RecurringWarning;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import redis.clients.jedis.HostAndPort;
import redis.clients.jedis.Protocol;
import redis.clients.jedis.exceptions.JedisException;

/** A node of a cluster that is asked where the slots are. For one thread at a time. */
final class RedisClusterNode implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(RedisClusterNode.class);

  /**
   * What a node says of the cluster.
   *
   * @param epoch of the latest change that it has heard of: a failover, or a slot that has moved
   * @param well whether it sees the cluster at work: not so where it is cut off from most of it
   */
  record Word(RedisClusterMap map, long epoch, boolean well) {}

  private final HostAndPort place;
  private final RedisSettings settings;
  private final RedisConnection connection;
  private final RecurringWarning trouble;

  RedisClusterNode(HostAndPort place, RedisSettings settings) {
    this.place = place;
    this.settings = settings;
    this.connection =
        new RedisConnection(
            place, settings.timeout(), settings.user(), settings.password(), settings.tls());
    this.trouble = new RecurringWarning(log, "cluster node " + place, System::nanoTime);
  }

  /** Where the slots are by this node; null where it does not say, which is logged. */
  @Nullable Word ask() {
    try {
      // In this order: a map may be newer than its epoch, and should not be older.
      Map<String, String> facts = facts();
      long epoch = Long.parseLong(facts.getOrDefault("cluster_current_epoch", "0"));
      Word word = new Word(map(), epoch, isWell(facts));
      trouble.recovered();
      return word;
    } catch (JedisException | IllegalArgumentException e) {
      close();
      trouble.occurred(
          "cluster node %s does not say where the slots are (%s): the others are asked, and this one again"
              .formatted(
                  place, e instanceof JedisException failure ? cause(failure) : e.getMessage()));
      return null;
    }
  }

  /**
   * What {@code CLUSTER SLOTS} says.
   *
   * @throws JedisException where it says nothing
   * @throws IllegalArgumentException where it is something else
   */
  RedisClusterMap map() {
    return RedisClusterMap.of(
        connection.open().sendCommand(Protocol.Command.CLUSTER, "SLOTS"), place);
  }

  /**
   * What {@code CLUSTER INFO} says.
   *
   * @throws JedisException where it says nothing
   */
  Map<String, String> facts() {
    Object answer = connection.open().sendCommand(Protocol.Command.CLUSTER, "INFO");
    Map<String, String> facts = new HashMap<>();
    String text = answer instanceof byte[] bytes ? new String(bytes, UTF_8) : "";
    text.lines()
        .forEach(
            line -> {
              int colon = line.indexOf(':');
              if (colon > 0) {
                facts.put(line.substring(0, colon), line.substring(colon + 1));
              }
            });
    return facts;
  }

  /** Whether who says this sees the cluster at work. */
  static boolean isWell(Map<String, String> facts) {
    return "ok".equals(facts.get("cluster_state"));
  }

  /** Why a call failed, in an operator's words. */
  String cause(JedisException e) {
    return RedisServer.cause(settings.tls(), e);
  }

  @Override
  public void close() {
    connection.close();
  }

  @Override
  public String toString() {
    return place.toString();
  }
}
