package io.duplog.dedup.redis;

import io.duplog.tls.Tls;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Where Redis is, and how long to wait for it.
 *
 * @param host of no meaning where sentinels or a cluster say where Redis is, nor is the port
 * @param user the ACL user; null for the default one
 * @param password null where none is needed
 * @param prefix stands before every key
 * @param timeout for a connection and for an answer
 * @param connections how many calls may be under way at once
 * @param tls null where Redis is spoken to in plain text
 * @param sentinel null where no sentinels say where Redis is
 * @param cluster null where a single server has everything
 */
public record RedisSettings(
    String host,
    int port,
    @Nullable String user,
    @Nullable String password,
    int database,
    String prefix,
    Duration timeout,
    int connections,
    @Nullable Tls tls,
    @Nullable RedisSentinelSettings sentinel,
    @Nullable RedisClusterSettings cluster) {

  /** A single server, always at the same address, in plain text. */
  public RedisSettings(
      String host,
      int port,
      @Nullable String user,
      @Nullable String password,
      int database,
      String prefix,
      Duration timeout,
      int connections) {
    this(host, port, user, password, database, prefix, timeout, connections, null, null, null);
  }

  /** For log lines; holds no secret. */
  public String address() {
    if (cluster != null) {
      return cluster.toString();
    }
    return sentinel == null ? host + ":" + port : sentinel.toString();
  }

  @Override
  public String toString() {
    return address() + "/" + database;
  }
}
