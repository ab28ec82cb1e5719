package io.duplog.dedup.redis;

import java.util.List;
import java.util.stream.IntStream;

/**
 * Describes the Redis that holds a bridge's ledger: its configuration, the prefix of each part's
 * keys, and the limit of simultaneous calls.
 *
 * @param parts number of the ledger's parts. Without a cluster, the number is 1. In a cluster it is
 *     each stream's number of queues, because a message's queue is its part.
 * @param connections limit of simultaneous calls to a server
 */
public record RedisStore(RedisConfig config, int parts, int connections) {
  /** Number of hash slots in every Redis Cluster. */
  static final int SLOTS = 16_384;

  /**
   * Returns the prefix of each part's keys, which a colon follows. In a cluster, the prefix is like
   * {@code duplog:{3.61}}. The keys of a part share a hash tag, so they are in one slot and on one
   * server. So each script is one atomic step, and counts a batch once. The tag is the first {@code
   * PART.n} whose slot lies in the part's equal share of all slots. Masters with equal ranges of
   * slots therefore have equal numbers of parts.
   */
  public List<String> prefixes() {
    if (config.cluster() == null) {
      return List.of(config.prefix());
    }
    return IntStream.range(0, parts)
        .mapToObj(part -> config.prefix() + ":{" + tag(part) + "}")
        .toList();
  }

  private String tag(int part) {
    int first = (int) ((long) part * SLOTS / parts);
    int end = (int) ((part + 1L) * SLOTS / parts);
    return IntStream.iterate(0, n -> n + 1)
        .mapToObj(n -> part + "." + n)
        .filter(tag -> RedisSlot.slotOf(tag) >= first && RedisSlot.slotOf(tag) < end)
        .findFirst()
        .orElseThrow();
  }

  /** Returns the address of Redis for log lines. */
  public String address() {
    return config.address();
  }
}
