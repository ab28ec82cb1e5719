package io.duplog.dedup.redis;

import io.duplog.observe.RecurringWarning;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import redis.clients.jedis.HostAndPort;
import redis.clients.jedis.exceptions.JedisException;

/** One sentinel, and the connection to it. For one thread at a time. */
final class RedisSentinel implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(RedisSentinel.class);

  /**
   * What a sentinel says of the master.
   *
   * @param epoch of the failover that it knows of: the highest one is the last
   */
  record Word(HostAndPort master, long epoch) {}

  private final HostAndPort place;
  private final RedisSentinelSettings settings;
  private final RedisConnection connection;
  private final RecurringWarning trouble;

  RedisSentinel(
      com.google.common.net.HostAndPort place, RedisSentinelSettings settings, Duration timeout) {
    this.place = new HostAndPort(place.getHost(), place.getPort());
    this.settings = settings;
    this.connection =
        new RedisConnection(
            this.place, timeout, settings.user(), settings.password(), settings.tls());
    this.trouble = new RecurringWarning(log, "sentinel " + place, System::nanoTime);
  }

  /** Where the master is by this sentinel; null where it does not say, which is logged. */
  @Nullable Word ask() {
    try {
      // In this order: an address may be newer than its epoch, and must not be older.
      long epoch = Long.parseLong(facts().getOrDefault("config-epoch", "0"));
      List<String> master = connection.open().sentinelGetMasterAddrByName(settings.master());
      if (master == null || master.size() != 2) {
        throw new JedisException("it knows no master of that name");
      }
      Word word = new Word(new HostAndPort(master.get(0), Integer.parseInt(master.get(1))), epoch);
      trouble.recovered();
      return word;
    } catch (JedisException | NumberFormatException e) {
      close();
      trouble.occurred(
          "sentinel %s does not say where the Redis master '%s' is (%s): the others are asked, and this one again"
              .formatted(
                  place,
                  settings.master(),
                  cause(e instanceof JedisException failure ? failure : new JedisException(e))));
      return null;
    }
  }

  /**
   * Everything that it says of the master, as {@code SENTINEL MASTER} does.
   *
   * @throws JedisException where it says nothing
   */
  Map<String, String> facts() {
    return connection.open().sentinelMaster(settings.master());
  }

  /** Why a call failed, in an operator's words. */
  String cause(JedisException e) {
    return RedisServer.cause(settings.tls(), e);
  }

  @Override
  public void close() {
    connection.close();
  }

  @Override
  public String toString() {
    return place.toString();
  }
}
