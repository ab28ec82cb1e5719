package io.duplog.dedup.redis;

import io.duplog.dedup.LedgerUnavailableException;
import java.time.Duration;
import java.util.function.Function;
import redis.clients.jedis.UnifiedJedis;

/**
 * Access to the server that holds the ledger, or a part of it, at the moment. May be used from any
 * thread.
 */
interface RedisAccess extends AutoCloseable {
  /** Pause between two rounds of asking which server that is. */
  Duration LOOK_EVERY = Duration.ofMillis(500);

  /** Sets the action that runs when another server has taken over; a single server ignores it. */
  default void onMove(Runnable told) {}

  @Override
  void close();

  /**
   * Asks the current server. A call that fails may have been executed all the same, unless the
   * exception says otherwise.
   *
   * @throws LedgerUnavailableException that names the server which was asked, or says that none is
   *     known
   */
  <T> T ask(Function<UnifiedJedis, T> question) throws LedgerUnavailableException;
}
