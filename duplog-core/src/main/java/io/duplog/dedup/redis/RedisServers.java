package io.duplog.dedup.redis;

import io.duplog.dedup.LedgerUnavailableException;
import java.util.function.Function;
import redis.clients.jedis.HostAndPort;
import redis.clients.jedis.UnifiedJedis;
import redis.clients.jedis.exceptions.JedisException;

/** Knows which server holds the ledger, or a part of it, at the moment. Any thread. */
interface RedisServers extends AutoCloseable {

  /** Those of what is no cluster. Nothing is sent before somebody asks. */
  static RedisServers of(RedisSettings settings) {
    RedisSentinelSettings sentinel = settings.sentinel();
    return sentinel == null
        ? new RedisServer(settings, new HostAndPort(settings.host(), settings.port()))
        : new RedisSentinels(settings, sentinel);
  }

  /**
   * The server to ask now.
   *
   * @throws LedgerUnavailableException where nobody can say which it is
   */
  RedisServer current() throws LedgerUnavailableException;

  /** A call to the current server failed, so it may be another one by now. */
  default void failed() {}

  /** Has somebody told when another server took over. */
  default void onMove(Runnable told) {}

  @Override
  void close();

  /**
   * Asks the current server. What fails may have been executed all the same, unless the exception
   * says otherwise.
   *
   * @throws LedgerUnavailableException that names the server which was really asked
   */
  default <T> T ask(Function<UnifiedJedis, T> question) throws LedgerUnavailableException {
    RedisServer server = current();
    try {
      return question.apply(server.client());
    } catch (JedisException e) {
      failed();
      throw server.unavailable(e);
    }
  }
}
