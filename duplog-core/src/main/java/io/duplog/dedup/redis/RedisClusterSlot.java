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
 * <p>Who answers that the slot has moved has not executed what it was asked for, so the server that
 * it names is asked. Who answers that it is giving the slot away at this moment ({@code -ASK}) has
 * not either, and there the call ends: at that other server the slot's keys are arriving one by
 * one, and a script that ran between two of them would count in a memory that is not whole. None of
 * our scripts is executed by the server that gives away, since their first key, the bare prefix,
 * never exists. So nothing is counted in a part while it moves, and the server that has all of it
 * afterwards finds another server's name in its epoch and begins a new one.
 */
final class RedisClusterSlot implements RedisServers {
  final int slot;

  /** Where it is; null where nobody has said. Written while the cluster is held. */
  volatile @Nullable RedisServer server;

  /** Run when its server is another one, or answers again. */
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

  /** Where it is, in words. */
  String whereabouts() {
    RedisServer known = server;
    return known == null ? "nowhere" : "at " + known;
  }

  @Override
  public String toString() {
    return "part " + prefix + " (slot " + slot + ")";
  }
}
