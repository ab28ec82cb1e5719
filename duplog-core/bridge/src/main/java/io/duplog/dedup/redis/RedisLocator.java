package io.duplog.dedup.redis;

import io.duplog.observe.RecurringWarning;
import java.time.Duration;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import redis.clients.jedis.HostAndPort;
import redis.clients.jedis.Jedis;
import redis.clients.jedis.exceptions.JedisException;

/**
 * A server that says where the ledger is: a sentinel, or a node of a cluster. Has one connection,
 * which is opened when it is needed. Not safe for threads.
 */
final class RedisLocator implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(RedisLocator.class);

  private final HostAndPort place;
  private final String name;
  private final String sought;
  private final RedisSettings.Login login;
  private final Duration timeout;
  private final RecurringWarning trouble;
  private @Nullable Jedis connection;

  /**
   * @param kind what such a server is called in log lines
   * @param sought what the server is asked for, with a verb, such as {@code the slots are}
   */
  private RedisLocator(
      HostAndPort place, String kind, String sought, RedisSettings.Login login, Duration timeout) {
    this.place = place;
    this.name = kind + " " + place;
    this.sought = sought;
    this.login = login;
    this.timeout = timeout;
    this.trouble = new RecurringWarning(log, name, System::nanoTime);
  }

  /** Creates a locator for each configured sentinel. */
  static List<RedisLocator> sentinels(RedisSentinelSettings settings, Duration timeout) {
    String sought = "the Redis master '" + settings.master() + "' is";
    return settings.addresses().stream()
        .map(each -> new HostAndPort(each.getHost(), each.getPort()))
        .map(place -> new RedisLocator(place, "sentinel", sought, settings.login(), timeout))
        .toList();
  }

  static RedisLocator node(HostAndPort place, RedisSettings settings) {
    return new RedisLocator(
        place, "cluster node", "the slots are", settings.login(), settings.timeout());
  }

  /**
   * Asks the server, and logs a failure.
   *
   * @param question may throw a JedisException or an IllegalArgumentException
   * @return null if the question failed
   */
  <T> @Nullable T ask(Function<Jedis, T> question) {
    try {
      T answer = question.apply(open());
      trouble.recovered();
      return answer;
    } catch (JedisException | IllegalArgumentException e) {
      close();
      trouble.occurred(
          "%s does not say where %s (%s): the others are asked, and this one again"
              .formatted(name, sought, cause(e)));
      return null;
    }
  }

  /** Returns the connection to the server, and creates a connection if there is none. */
  Jedis open() {
    Jedis known = connection;
    if (known == null) {
      known = new Jedis(place, RedisServer.config(login, timeout).serverDefaultProtocol().build());
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
