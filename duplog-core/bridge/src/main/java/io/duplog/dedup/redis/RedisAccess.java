package io.duplog.dedup.redis;

import io.duplog.dedup.LedgerUnavailableException;
import java.util.function.Function;
import redis.clients.jedis.UnifiedJedis;

/**
 * Sends commands to the Redis server that currently has the ledger or one of its parts.
 * Thread-safe.
 */
interface RedisAccess extends AutoCloseable {
  /**
   * Sets an action to run when another server has taken over. The default implementation is for a
   * single server, and does nothing.
   */
  default void onMove(Runnable listener) {}

  @Override
  void close();

  /**
   * Calls the current server. A failed call may have been executed nevertheless, unless the
   * exception says otherwise.
   *
   * @throws LedgerUnavailableException that names the called server, or says that none is known
   */
  <T> T ask(Function<UnifiedJedis, T> question) throws LedgerUnavailableException;
}
