package io.duplog.dedup.redis;

import io.duplog.dedup.LedgerUnavailableException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import redis.clients.jedis.HostAndPort;
import redis.clients.jedis.UnifiedJedis;
import redis.clients.jedis.exceptions.JedisDataException;
import redis.clients.jedis.exceptions.JedisException;

/**
 * A master of a cluster, which several parts of a ledger ask. One that hangs makes whoever asks it
 * wait for a time-out, and one thread settles for all parts: so what two calls in a row have found
 * out holds for all, and nobody waits for this server again before it has answered a ping. Any
 * thread.
 */
final class RedisClusterServer implements AutoCloseable {
  private static final int MOST_FAILURES = 2;

  private final RedisServer server;
  private final AtomicInteger failuresInARow = new AtomicInteger();

  RedisClusterServer(RedisSettings settings, HostAndPort place) {
    server = new RedisServer(settings, place);
  }

  RedisServer server() {
    return server;
  }

  /** Whether nobody asks it at the moment. */
  boolean isCutOff() {
    return failuresInARow.get() >= MOST_FAILURES;
  }

  /**
   * Asks.
   *
   * @throws JedisException where the call failed
   * @throws LedgerUnavailableException where it is not asked
   */
  <T> T ask(Function<UnifiedJedis, T> question) throws LedgerUnavailableException {
    if (isCutOff()) {
      throw new LedgerUnavailableException(
          "Redis " + server + " unavailable (not asked before it has answered a ping)",
          null,
          false);
    }
    return noting(question);
  }

  /** Asks for an answer, whether it is cut off or not. */
  boolean answersPing() {
    try {
      noting(UnifiedJedis::ping);
      return true;
    } catch (JedisException e) {
      return false;
    }
  }

  private <T> T noting(Function<UnifiedJedis, T> question) {
    try {
      T answer = question.apply(server.client());
      answered();
      return answer;
    } catch (JedisDataException e) {
      answered(); // that it can't
      throw e;
    } catch (JedisException e) {
      failuresInARow.incrementAndGet();
      throw e;
    }
  }

  private void answered() {
    if (failuresInARow.get() != 0) {
      failuresInARow.set(0);
    }
  }

  @Override
  public void close() {
    server.close();
  }

  @Override
  public String toString() {
    return server.toString();
  }
}
