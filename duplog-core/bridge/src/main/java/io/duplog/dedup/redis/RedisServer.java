package io.duplog.dedup.redis;

import com.google.common.base.Throwables;
import io.duplog.config.Secret;
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
 * One Redis server and the connections to it, over which commands are sent. Thread-safe.
 *
 * <p>Several parts of a ledger may be on one server of a cluster, and one thread settles for all
 * parts. So after two failed calls in a row, {@link #askUnlessCutOff} rejects calls of all parts
 * until the server has answered a ping. Otherwise each part would wait for its own timeout.
 */
final class RedisServer implements RedisAccess {
  private static final int MAX_SHARED_FAILURES = 2;
  private static final Duration KEEP_ALIVE = Duration.ofSeconds(2);

  private final HostAndPort place;
  private final Login login;
  private final int maxFailures;
  private final RedisClient client;
  private final AtomicInteger failuresInARow = new AtomicInteger();

  /** Failure of the last call that failed. */
  private volatile @Nullable JedisException lastFailure;

  /**
   * Settings of the connections to a server.
   *
   * @param user the ACL user, or null for the default user
   * @param password the password, or null if none is needed
   * @param tls the TLS settings, or null for plain text
   * @param timeout limit for connecting, and for each answer
   * @param connections limit of simultaneous calls
   */
  record Login(
      @Nullable String user,
      @Nullable Secret password,
      @Nullable Tls tls,
      int database,
      Duration timeout,
      int connections) {

    @SuppressWarnings("deprecation") // SslOptions takes key stores, and reads them once
    DefaultJedisClientConfig.Builder client() {
      int timeoutMillis = (int) timeout.toMillis();
      DefaultJedisClientConfig.Builder client =
          DefaultJedisClientConfig.builder()
              .connectionTimeoutMillis(timeoutMillis)
              .socketTimeoutMillis(timeoutMillis)
              .user(user)
              .password(password == null ? null : password.reveal())
              .database(database);
      if (tls != null) {
        client.ssl(true).sslSocketFactory(tls.sockets()).sslParameters(tls.parameters());
      }
      return client;
    }
  }

  /** Creates the client without connecting. The first call opens a connection. */
  RedisServer(HostAndPort place, Login login) {
    this(place, login, Integer.MAX_VALUE);
  }

  private RedisServer(HostAndPort place, Login login, int maxFailures) {
    this.place = place;
    this.login = login;
    this.maxFailures = maxFailures;
    ConnectionPoolConfig pool = new ConnectionPoolConfig();
    pool.setMaxTotal(login.connections());
    pool.setMaxIdle(login.connections());
    pool.setMaxWait(login.timeout());
    // Pings each idle connection, so that neither Redis nor a firewall considers it dead.
    pool.setTimeBetweenEvictionRuns(KEEP_ALIVE);
    this.client =
        RedisClient.builder()
            .hostAndPort(place)
            .clientConfig(login.client().build())
            .poolConfig(pool)
            .build();
  }

  /** Creates the client of a server that several parts of a ledger may share. */
  static RedisServer ofParts(HostAndPort place, Login login) {
    return new RedisServer(place, login, MAX_SHARED_FAILURES);
  }

  @Override
  public <T> T ask(Function<UnifiedJedis, T> question) throws LedgerUnavailableException {
    try {
      return question.apply(client);
    } catch (JedisException e) {
      throw unavailable(e);
    }
  }

  /** Whether the last two calls have failed, so that {@link #askUnlessCutOff} makes no call. */
  boolean isCutOff() {
    return failuresInARow.get() >= maxFailures;
  }

  /**
   * Calls the server, unless the last two calls have failed.
   *
   * @throws JedisException if the call failed
   * @throws LedgerUnavailableException if the server was not called
   */
  <T> T askUnlessCutOff(Function<UnifiedJedis, T> question) throws LedgerUnavailableException {
    if (isCutOff()) {
      JedisException failure = lastFailure;
      throw new LedgerUnavailableException(
          "Redis %s unavailable (%s; not called until it has answered a ping)"
              .formatted(place, failure == null ? "" : cause(login.tls(), failure)),
          failure,
          false);
    }
    return askAndTrack(question);
  }

  /**
   * Whether the server answers a ping. The ping is sent even if the server is cut off, and an
   * answer ends that state.
   */
  boolean answersPing() {
    try {
      askAndTrack(UnifiedJedis::ping);
      return true;
    } catch (JedisException e) {
      return false;
    }
  }

  private <T> T askAndTrack(Function<UnifiedJedis, T> question) {
    try {
      T answer = question.apply(client);
      resetFailures();
      return answer;
    } catch (JedisDataException e) {
      resetFailures(); // an error is an answer, too
      throw e;
    } catch (JedisException e) {
      lastFailure = e; // before the count, so that rejected callers find it
      failuresInARow.incrementAndGet();
      throw e;
    }
  }

  private void resetFailures() {
    if (failuresInARow.get() != 0) {
      failuresInARow.set(0);
    }
  }

  HostAndPort place() {
    return place;
  }

  /**
   * Wraps the failure of a call. In most cases the call may have been executed in spite of the
   * error, because even a script may fail halfway. Nothing was executed if a server of a cluster
   * redirects or reports that the cluster is down, because it checks that first.
   */
  LedgerUnavailableException unavailable(JedisException e) {
    boolean unseen = e instanceof JedisRedirectionException || e instanceof JedisClusterException;
    return new LedgerUnavailableException(
        "Redis " + place + " unavailable (" + cause(login.tls(), e) + ")", e, !unseen);
  }

  /**
   * Whether Redis has answered with an error, such as a wrong password, rather than being
   * unreachable.
   */
  static boolean isAnswer(LedgerUnavailableException e) {
    return e.mayHaveExecuted()
        && Throwables.getCausalChain(e).stream().anyMatch(JedisDataException.class::isInstance);
  }

  /** Describes for an operator why a call failed. */
  static String cause(@Nullable Tls tls, JedisException failure) {
    if (failure instanceof JedisAskDataException giving) {
      return "slot %d is moving to %s".formatted(giving.getSlot(), giving.getTargetNode());
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
      // Redis closes a plain-text connection to its TLS port.
      return words + "; if this is its port for TLS, add a section tls";
    }
    boolean closed =
        !(root instanceof JedisDataException
            || root instanceof ConnectException
            || root instanceof SocketTimeoutException
            || root instanceof UnknownHostException);
    return tls != null && closed ? words + tls.hint() : words;
  }

  /** Closes idle connections immediately, and busy connections when their calls have ended. */
  @Override
  public void close() {
    client.close();
  }

  @Override
  public String toString() {
    return place.toString();
  }
}
