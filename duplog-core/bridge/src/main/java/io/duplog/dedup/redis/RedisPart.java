package io.duplog.dedup.redis;

import io.duplog.dedup.LedgerUnavailableException;
import java.util.List;
import java.util.UUID;
import redis.clients.jedis.HostAndPort;

/**
 * One part of a ledger: the prefix of its keys, and access to the Redis server that has it. Without
 * a cluster, there is one part. Thread-safe.
 *
 * @param prefix beginning of all keys of the part, without the colon that follows
 */
record RedisPart(String prefix, RedisAccess servers) implements AutoCloseable {
  private static final int TOKEN_LENGTH = 8;

  /**
   * Creates all parts, in the order of their numbers. They share connections, which the first call
   * opens.
   */
  static List<RedisPart> all(RedisStore store) {
    RedisConfig config = store.config();
    RedisServer.Login login = config.login(store.connections());
    if (config.guides().isEmpty()) {
      HostAndPort place = new HostAndPort(config.host(), config.port());
      return List.of(new RedisPart(config.prefix(), new RedisServer(place, login)));
    }
    RedisLocator locator = new RedisLocator(config, login);
    return store.prefixes().stream()
        .map(prefix -> new RedisPart(prefix, locator.part(prefix)))
        .toList();
  }

  /**
   * @param name the key's name after the prefix, or empty for the prefix alone, which scripts get
   */
  String key(String name) {
    return prefix + ":" + name;
  }

  /** Creates a random token, which a script uses if it must start a new epoch. */
  static String token() {
    return UUID.randomUUID().toString().substring(0, TOKEN_LENGTH);
  }

  /**
   * Runs a script on this part's server.
   *
   * @param arguments as {@link RedisScript#run} takes them
   * @throws LedgerUnavailableException if the script may have failed
   */
  RedisAnswer run(RedisScript script, List<?> arguments) throws LedgerUnavailableException {
    return servers.ask(redis -> script.run(redis, key(""), arguments));
  }

  @Override
  public void close() {
    servers.close();
  }
}
