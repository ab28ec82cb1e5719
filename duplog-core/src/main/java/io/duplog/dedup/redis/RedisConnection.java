package io.duplog.dedup.redis;

import io.duplog.tls.Tls;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import redis.clients.jedis.HostAndPort;
import redis.clients.jedis.Jedis;
import redis.clients.jedis.JedisClientConfig;
import redis.clients.jedis.exceptions.JedisException;

/**
 * One connection to whoever knows where the ledger is, made when it is needed. For one thread at a
 * time.
 */
final class RedisConnection implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(RedisConnection.class);

  private final HostAndPort place;
  private final JedisClientConfig login;
  private @Nullable Jedis connection;

  RedisConnection(
      HostAndPort place,
      Duration timeout,
      @Nullable String user,
      @Nullable String password,
      @Nullable Tls tls) {
    this.place = place;
    this.login = RedisServer.login(timeout, user, password, tls).serverDefaultProtocol().build();
  }

  /** Connects where it is not connected, or was closed. */
  Jedis open() {
    Jedis known = connection;
    if (known == null) {
      known = new Jedis(place, login);
      connection = known;
    }
    return known;
  }

  @Override
  public void close() {
    Jedis known = connection;
    connection = null;
    if (known != null) {
      try {
        known.close();
      } catch (JedisException e) {
        log.debug("{} was gone already", place, e);
      }
    }
  }

  @Override
  public String toString() {
    return place.toString();
  }
}
