package io.duplog.dedup.redis;

import io.duplog.dedup.LedgerUnavailableException;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import redis.clients.jedis.HostAndPort;
import redis.clients.jedis.UnifiedJedis;
import redis.clients.jedis.exceptions.JedisException;
import redis.clients.jedis.exceptions.JedisMovedDataException;
import redis.clients.jedis.util.JedisClusterCRC16;

/**
 * Sends commands to the Redis server that has a given slot, even after the slot has moved or a
 * failover took place. In a cluster, that is the server of the part's slot. Behind sentinels, it is
 * the master, which has all slots.
 *
 * <p>A server that answers {@code -MOVED} has executed nothing, so the server that it names is
 * called. A server that answers {@code -ASK} is handing the slot over, and has executed nothing
 * either, but then the call fails. The slot's keys arrive at the other server one by one, and a
 * script that ran between two of them would count in an incomplete memory. While a slot is handed
 * over, none of our scripts is executed, because their first key, the bare prefix, never exists.
 * This way nothing is counted in a part while it moves. Afterwards the new server finds another
 * server's id in the epoch, and starts a new epoch.
 *
 * @see "docs/decisions/cluster.md#cluster-moves"
 */
final class RedisSlot implements RedisAccess {
  final int slot;

  /** The server that has the slot, or null until known. Written only with the locator locked. */
  volatile @Nullable RedisServer server;

  /** Action that runs when another server has taken over, or when the server answers again. */
  volatile Runnable moveListener = () -> {};

  private final RedisLocator locator;
  private final String name;

  /**
   * @param name the part's name for messages
   */
  RedisSlot(RedisLocator locator, int slot, String name) {
    this.locator = locator;
    this.slot = slot;
    this.name = name;
  }

  /** Returns the hash slot of all keys that begin with a part's prefix. */
  static int slotOf(String prefix) {
    return JedisClusterCRC16.getSlot(prefix);
  }

  /**
   * Returns the server to call now. Asks the guides if they were not asked before.
   *
   * @throws LedgerUnavailableException if no guide knows the server
   */
  RedisServer current() throws LedgerUnavailableException {
    RedisServer known = server;
    if (known == null) {
      locator.begin();
      known = server;
    }
    if (known == null) {
      throw locator.unavailable(this);
    }
    return known;
  }

  @Override
  public <T> T ask(Function<UnifiedJedis, T> question) throws LedgerUnavailableException {
    RedisServer called = current();
    try {
      try {
        return called.askUnlessCutOff(question);
      } catch (JedisMovedDataException e) {
        HostAndPort target = e.getTargetNode();
        called =
            locator.redirected(
                this, RedisMap.place(target.getHost(), target.getPort(), called.place()));
        return called.askUnlessCutOff(question);
      }
    } catch (JedisException e) {
      locator.hurry();
      throw called.unavailable(e);
    }
  }

  @Override
  public void onMove(Runnable listener) {
    moveListener = listener;
  }

  @Override
  public void close() {
    locator.leave(this);
  }

  /** Returns the slot's place for a log line: {@code at 10.0.0.1:6379}, or {@code nowhere}. */
  String whereabouts() {
    RedisServer known = server;
    return known == null ? "nowhere" : "at " + known;
  }

  @Override
  public String toString() {
    return name;
  }
}
