package io.duplog.dedup.redis;

import io.duplog.dedup.LedgerUnavailableException;
import java.util.function.Function;
import redis.clients.jedis.UnifiedJedis;

/**
 * Access to the server that holds the ledger, or a part of it, at the moment. May be used from any
 * thread.
 */
interface RedisAccess extends AutoCloseable {
  /**
   * Sets an action to run when another server has taken over. The default method, for a single
   * server, does nothing.
   */
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
