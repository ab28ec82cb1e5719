package io.duplog.dedup.redis;

import redis.clients.jedis.util.JedisClusterCRC16;

/**
 * One of the parts into which a ledger is divided in a cluster. All its keys have a hash tag in
 * common, so that they are in one slot, and with that on one server: each script stays one atomic
 * step, and counts a batch once.
 *
 * @param number from 0
 * @param parts how many there are
 */
record RedisClusterPart(int number, int parts) {
  /** Of a cluster. */
  static final int SLOTS = 16_384;

  /**
   * What all its keys begin with, before a colon: {@code duplog:{3.61}}. Of the names {@code
   * NUMBER.n} it is the first whose slot lies in this part's equal share of all slots, so that
   * masters that have equal ranges of slots have equally many parts.
   *
   * @param prefix of the whole ledger
   */
  String prefix(String prefix) {
    int first = (int) ((long) number * SLOTS / parts);
    int end = (int) ((number + 1L) * SLOTS / parts);
    for (int n = 0; ; n++) {
      String tag = number + "." + n;
      int slot = JedisClusterCRC16.getSlot(tag);
      if (slot >= first && slot < end) {
        return prefix + ":{" + tag + "}";
      }
    }
  }

  /** The slot of all keys that begin like this. */
  static int slotOf(String prefix) {
    return JedisClusterCRC16.getSlot(prefix);
  }
}
