package io.duplog.dedup.redis;

import com.google.common.base.Throwables;
import io.duplog.dedup.LedgerUnavailableException;
import io.duplog.tls.Tls;
import java.net.ConnectException;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import redis.clients.jedis.ConnectionPoolConfig;
import redis.clients.jedis.DefaultJedisClientConfig;
import redis.clients.jedis.HostAndPort;
import redis.clients.jedis.RedisClient;
import redis.clients.jedis.UnifiedJedis;
import redis.clients.jedis.exceptions.JedisAskDataException;
import redis.clients.jedis.exceptions.JedisClusterException;
import redis.clients.jedis.exceptions.JedisDataException;
import redis.clients.jedis.exceptions.JedisException;
import redis.clients.jedis.exceptions.JedisRedirectionException;

/**
 * One Redis server, and the connections to it. Any thread.
 *
 * <p>A master of a cluster is asked by several parts of a ledger. One that hangs makes whoever asks
 * it wait for a time-out, and one thread settles for all parts: so what two calls in a row have
 * found out holds for all, and nobody waits for this server again before it has answered a ping.
 */
final class RedisServer implements RedisServers {
  private static final int MOST_FAILURES = 2;

  private final HostAndPort place;
  private final RedisSettings.Login login;
  private final RedisClient client;
  private final AtomicInteger failuresInARow = new AtomicInteger();

  RedisServer(RedisSettings settings, RedisSettings.Server place) {
    this(settings, new HostAndPort(place.host(), place.port()));
  }

  /** Connects lazily: nothing is sent yet. */
  RedisServer(RedisSettings settings, HostAndPort place) {
    this.place = place;
    this.login = settings.login();
    ConnectionPoolConfig pool = new ConnectionPoolConfig();
    pool.setMaxTotal(settings.connections());
    pool.setMaxIdle(settings.connections());
    pool.setMaxWait(settings.timeout());
    this.client =
        RedisClient.builder()
            .hostAndPort(place)
            .clientConfig(config(login, settings.timeout()).database(settings.database()).build())
            .poolConfig(pool)
            .build();
  }

  /** How to connect to a server, and as whom. */
  @SuppressWarnings("deprecation") // SslOptions takes key stores, and reads them once
  static DefaultJedisClientConfig.Builder config(RedisSettings.Login login, Duration timeout) {
    int timeoutMillis = (int) timeout.toMillis();
    DefaultJedisClientConfig.Builder config =
        DefaultJedisClientConfig.builder()
            .connectionTimeoutMillis(timeoutMillis)
            .socketTimeoutMillis(timeoutMillis)
            .user(login.user())
            .password(login.password());
    Tls tls = login.tls();
    if (tls != null) {
      config.ssl(true).sslSocketFactory(tls.sockets()).sslParameters(tls.parameters());
    }
    return config;
  }

  UnifiedJedis client() {
    return client;
  }

  @Override
  public <T> T ask(Function<UnifiedJedis, T> question) throws LedgerUnavailableException {
    try {
      return question.apply(client);
    } catch (JedisException e) {
      throw unavailable(e);
    }
  }

  /** Whether nobody who asks with {@link #askUnlessCutOff} is heard at the moment. */
  boolean isCutOff() {
    return failuresInARow.get() >= MOST_FAILURES;
  }

  /**
   * Asks.
   *
   * @throws JedisException where the call failed
   * @throws LedgerUnavailableException where it is not asked
   */
  <T> T askUnlessCutOff(Function<UnifiedJedis, T> question) throws LedgerUnavailableException {
    if (isCutOff()) {
      throw new LedgerUnavailableException(
          "Redis " + place + " unavailable (not asked before it has answered a ping)", null, false);
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
      T answer = question.apply(client);
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

  HostAndPort place() {
    return place;
  }

  /**
   * Whatever the error, what was asked may have been done: a script may even fail in its middle.
   * Not so where a server of a cluster says that it is not the one to ask, or that the cluster is
   * down: that it looks at first.
   */
  LedgerUnavailableException unavailable(JedisException e) {
    boolean unseen = e instanceof JedisRedirectionException || e instanceof JedisClusterException;
    return new LedgerUnavailableException(
        "Redis " + place + " unavailable (" + cause(login.tls(), e) + ")", e, !unseen);
  }

  /** Whether Redis says itself what is wrong, as with a password, rather than being away. */
  static boolean isAnswer(LedgerUnavailableException e) {
    return e.mayHaveExecuted()
        && Throwables.getCausalChain(e).stream().anyMatch(JedisDataException.class::isInstance);
  }

  /** Why a call failed, in an operator's words. */
  static String cause(@Nullable Tls tls, JedisException failure) {
    if (failure instanceof JedisAskDataException giving) {
      return "slot %d is on its way to %s".formatted(giving.getSlot(), giving.getTargetNode());
    }
    String reason = tls == null ? null : tls.reason(failure);
    if (reason != null) {
      return reason;
    }
    Throwable root = failure;
    while (root.getCause() != null && !(root instanceof JedisDataException)) {
      root = root.getCause();
    }
    String words = root.getMessage() == null ? root.getClass().getSimpleName() : root.getMessage();
    if (tls == null && root instanceof SocketException && !(root instanceof ConnectException)) {
      // As Redis answers plain text on its port for TLS.
      return words + "; if this is its port for TLS, add a section tls";
    }
    boolean closed =
        !(root instanceof JedisDataException
            || root instanceof ConnectException
            || root instanceof SocketTimeoutException
            || root instanceof UnknownHostException);
    return tls != null && closed ? words + tls.hint() : words;
  }

  /** Idle connections at once, each other one when its call is over. */
  @Override
  public void close() {
    client.close();
  }

  @Override
  public String toString() {
    return place.toString();
  }
}
