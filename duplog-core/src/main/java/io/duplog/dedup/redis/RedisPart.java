package io.duplog.dedup.redis;

import io.duplog.dedup.LedgerUnavailableException;
import java.util.List;
import java.util.UUID;

/**
 * Where one part of a ledger is; all of it but in a cluster. Any thread.
 *
 * @param prefix of all its keys, before a colon
 */
record RedisPart(String prefix, RedisServers servers) implements AutoCloseable {
  private static final int TOKEN_LENGTH = 8;

  /** All parts, in the order of their numbers. They share connections. Nothing is sent yet. */
  static List<RedisPart> all(RedisSettings settings) {
    if (settings.place() instanceof RedisClusterSettings place) {
      RedisCluster cluster = new RedisCluster(settings, place);
      return place.prefixes(settings.prefix()).stream()
          .map(prefix -> new RedisPart(prefix, cluster.part(prefix)))
          .toList();
    }
    RedisServers servers =
        settings.place() instanceof RedisSentinelSettings place
            ? new RedisSentinels(settings, place)
            : new RedisServer(settings, (RedisSettings.Server) settings.place());
    return List.of(new RedisPart(settings.prefix(), servers));
  }

  /**
   * @param name empty for what a script is told to put before the name of every key
   */
  String key(String name) {
    return prefix + ":" + name;
  }

  /** By chance, for an epoch that may have to begin. */
  static String token() {
    return UUID.randomUUID().toString().substring(0, TOKEN_LENGTH);
  }

  /**
   * Runs a script.
   *
   * @param arguments as {@link RedisScript#run} takes them
   * @throws LedgerUnavailableException where it may have failed
   */
  RedisAnswer run(RedisScript script, List<?> arguments) throws LedgerUnavailableException {
    return servers.ask(redis -> script.run(redis, key(""), arguments));
  }

  @Override
  public void close() {
    servers.close();
  }
}
