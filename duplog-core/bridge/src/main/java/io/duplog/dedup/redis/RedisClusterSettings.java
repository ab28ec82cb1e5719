package io.duplog.dedup.redis;

import static java.util.stream.Collectors.joining;

import com.google.common.net.HostAndPort;
import java.util.List;
import java.util.stream.IntStream;
import redis.clients.jedis.util.JedisClusterCRC16;

/**
 * A Redis Cluster, and the number of parts into which the ledger is divided among its servers.
 *
 * @param addresses nodes of the cluster, with their ports; any node that answers names the others
 * @param parts number of parts, which is each stream's number of queues; a message's queue is its
 *     part
 */
public record RedisClusterSettings(List<HostAndPort> addresses, int parts)
    implements RedisSettings.Place {

  /** Number of hash slots in every Redis Cluster. */
  static final int SLOTS = 16_384;

  /**
   * Returns the prefix of each part's keys, such as {@code duplog:{3.61}}, which a colon follows.
   * The keys of a part share a hash tag, so that they are in one slot and on one server. So each
   * script stays one atomic step, and counts a batch once. The tag is the first {@code PART.n}
   * whose slot lies in the part's equal share of all slots, so that masters with equal ranges of
   * slots have equally many parts.
   *
   * @param prefix the prefix of the whole ledger
   */
  List<String> prefixes(String prefix) {
    return IntStream.range(0, parts).mapToObj(part -> prefix + ":{" + tag(part) + "}").toList();
  }

  private String tag(int part) {
    int first = (int) ((long) part * SLOTS / parts);
    int end = (int) ((part + 1L) * SLOTS / parts);
    return IntStream.iterate(0, n -> n + 1)
        .mapToObj(n -> part + "." + n)
        .filter(tag -> slotOf(tag) >= first && slotOf(tag) < end)
        .findFirst()
        .orElseThrow();
  }

  /** Returns the hash slot of all keys that begin with a part's prefix. */
  static int slotOf(String prefix) {
    return JedisClusterCRC16.getSlot(prefix);
  }

  /** Returns the nodes' addresses, converted to the type that Jedis uses. */
  List<redis.clients.jedis.HostAndPort> nodes() {
    return addresses.stream()
        .map(each -> new redis.clients.jedis.HostAndPort(each.getHost(), each.getPort()))
        .toList();
  }

  @Override
  public String toString() {
    return "cluster of " + addresses.stream().map(HostAndPort::toString).collect(joining(", "));
  }
}
