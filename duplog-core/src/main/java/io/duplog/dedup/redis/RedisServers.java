package io.duplog.dedup.redis;

import io.duplog.dedup.LedgerUnavailableException;
import java.util.function.Function;
import redis.clients.jedis.UnifiedJedis;

/** Knows which server holds the ledger, or a part of it, at the moment. Any thread. */
interface RedisServers extends AutoCloseable {

  /** Has somebody told when another server took over. */
  default void onMove(Runnable told) {}

  @Override
  void close();

  /**
   * Asks the current server. What fails may have been executed all the same, unless the exception
   * says otherwise.
   *
   * @throws LedgerUnavailableException that names the server which was really asked, or says that
   *     nobody knows which to ask
   */
  <T> T ask(Function<UnifiedJedis, T> question) throws LedgerUnavailableException;
}
