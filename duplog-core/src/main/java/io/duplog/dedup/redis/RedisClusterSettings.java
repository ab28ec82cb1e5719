package io.duplog.dedup.redis;

import static java.util.stream.Collectors.joining;

import com.google.common.net.HostAndPort;
import java.util.List;
import java.util.stream.IntStream;
import redis.clients.jedis.util.JedisClusterCRC16;

/**
 * A cluster, and into how many parts the ledger is divided among its servers.
 *
 * @param addresses of nodes, with their ports; one that answers suffices to find the others
 * @param parts as many as each stream has queues: a message's queue is its part
 */
public record RedisClusterSettings(List<HostAndPort> addresses, int parts)
    implements RedisSettings.Place {

  /** Of a cluster. */
  static final int SLOTS = 16_384;

  public RedisClusterSettings {
    addresses = List.copyOf(addresses);
  }

  /**
   * What all keys of each part begin with, before a colon: {@code duplog:{3.61}}. The keys of a
   * part have a hash tag in common, so that they are in one slot, and with that on one server: each
   * script stays one atomic step, and counts a batch once. Of the tags {@code PART.n} it is the
   * first whose slot lies in this part's equal share of all slots, so that masters that have equal
   * ranges of slots have equally many parts.
   *
   * @param prefix of the whole ledger
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

  /** The slot of all keys that begin like this. */
  static int slotOf(String prefix) {
    return JedisClusterCRC16.getSlot(prefix);
  }

  /** Nodes, as Jedis takes them. */
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
