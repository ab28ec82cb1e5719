package io.duplog.dedup.redis;

import io.duplog.observe.RecurringWarning;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import redis.clients.jedis.HostAndPort;
import redis.clients.jedis.Jedis;
import redis.clients.jedis.exceptions.JedisException;

/**
 * Asks a sentinel, or a node of a Redis Cluster, which server has the ledger. Has one connection,
 * which is opened on demand. Not thread-safe.
 */
final class RedisGuide implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(RedisGuide.class);

  private final HostAndPort place;
  private final String name;
  private final String sought;
  private final RedisServer.Login login;
  private final Function<Jedis, RedisMap> question;
  private final RecurringWarning trouble;
  private @Nullable Jedis connection;

  /**
   * Creates a guide of the kind that the configuration names.
   *
   * @param login login for a server of that kind
   */
  RedisGuide(HostAndPort place, RedisConfig config, RedisServer.Login login) {
    this.place = place;
    this.login = login;
    RedisConfig.Sentinel sentinel = config.sentinel();
    if (sentinel != null) {
      this.name = "sentinel " + place;
      this.sought = "the Redis master '" + sentinel.master() + "' is";
      this.question = asked -> RedisMap.ofSentinel(asked, sentinel.master());
    } else {
      this.name = "cluster node " + place;
      this.sought = "the slots are";
      this.question = asked -> RedisMap.ofNode(asked, place);
    }
    this.trouble = new RecurringWarning(log, name, System::nanoTime);
  }

  /** Returns the addresses of the configured guides, or empty for a single server. */
  static List<HostAndPort> configured(RedisConfig config) {
    return config.guides().stream()
        .map(each -> new HostAndPort(each.getHost(), each.getPort()))
        .toList();
  }

  /**
   * Queries where the ledger is, and logs a failure.
   *
   * @return null if the guide does not know
   */
  @Nullable RedisMap ask() {
    try {
      RedisMap map = question.apply(open());
      trouble.recovered();
      return map;
    } catch (JedisException | IllegalArgumentException e) {
      close();
      trouble.occurred(
          "%s does not say where %s (%s). The others are asked, and this one is retried. Check whether it runs."
              .formatted(name, sought, cause(e)));
      return null;
    }
  }

  /** Returns the connection to the server, and creates it if there is none. */
  Jedis open() {
    Jedis known = connection;
    if (known == null) {
      known = new Jedis(place, login.client().serverDefaultProtocol().build());
      connection = known;
    }
    return known;
  }

  /** Describes for an operator why a call to the server failed. */
  String cause(RuntimeException e) {
    return e instanceof JedisException failure
        ? RedisServer.cause(login.tls(), failure)
        : String.valueOf(e.getMessage());
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
