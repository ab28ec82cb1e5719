package io.duplog.dedup.redis;

import io.duplog.dedup.LedgerUnavailableException;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import redis.clients.jedis.HostAndPort;
import redis.clients.jedis.UnifiedJedis;
import redis.clients.jedis.exceptions.JedisException;
import redis.clients.jedis.exceptions.JedisMovedDataException;

/**
 * The server of a cluster that has one part's slot.
 *
 * <p>A server that answers {@code -MOVED} has executed nothing, so the server that it names is
 * asked. A server that answers {@code -ASK} is giving the slot away and has executed nothing
 * either, but there the call fails. The slot's keys are arriving at the other server one by one,
 * and a script that ran between two of them would count in an incomplete memory. A server that
 * gives a slot away executes none of our scripts, because their first key, the bare prefix, never
 * exists. So nothing is counted in a part while it moves. The server that has all of it afterwards
 * finds another server's id in the epoch, and begins a new epoch.
 *
 * @see "docs/decisions/cluster.md#cluster-moves"
 */
final class RedisClusterSlot implements RedisAccess {
  final int slot;

  /** The server that has the slot; null until known. Written only with the cluster locked. */
  volatile @Nullable RedisServer server;

  /** Action that runs when another server has taken over, or when the server answers again. */
  volatile Runnable told = () -> {};

  private final RedisCluster cluster;
  private final String prefix;

  RedisClusterSlot(RedisCluster cluster, String prefix) {
    this.cluster = cluster;
    this.prefix = prefix;
    this.slot = RedisClusterSettings.slotOf(prefix);
  }

  private RedisServer found() throws LedgerUnavailableException {
    RedisServer found = server;
    if (found == null) {
      cluster.begin();
      found = server;
    }
    if (found == null) {
      throw cluster.unavailable(slot);
    }
    return found;
  }

  @Override
  public <T> T ask(Function<UnifiedJedis, T> question) throws LedgerUnavailableException {
    RedisServer asked = found();
    try {
      try {
        return asked.askUnlessCutOff(question);
      } catch (JedisMovedDataException e) {
        HostAndPort said = e.getTargetNode();
        asked =
            cluster.moved(
                this, RedisClusterMap.place(said.getHost(), said.getPort(), asked.place()));
        return asked.askUnlessCutOff(question);
      }
    } catch (JedisException e) {
      cluster.hurry();
      throw asked.unavailable(e);
    }
  }

  @Override
  public void onMove(Runnable listener) {
    told = listener;
  }

  @Override
  public void close() {
    cluster.leave(this);
  }

  /** Describes for a log line where the slot is: {@code at 10.0.0.1:6379}, or {@code nowhere}. */
  String whereabouts() {
    RedisServer known = server;
    return known == null ? "nowhere" : "at " + known;
  }

  @Override
  public String toString() {
    return "part " + prefix + " (slot " + slot + ")";
  }
}
