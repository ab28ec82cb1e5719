package io.duplog.dedup;

import io.duplog.tls.Tls;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Where Redis is, and how long to wait for it.
 *
 * @param user the ACL user; null for the default one
 * @param password null where none is needed
 * @param prefix stands before every key
 * @param timeout for a connection and for an answer
 * @param connections how many calls may be under way at once
 * @param tls null where Redis is spoken to in plain text
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
    @Nullable Tls tls) {

  /** In plain text. */
  public RedisSettings(
      String host,
      int port,
      @Nullable String user,
      @Nullable String password,
      int database,
      String prefix,
      Duration timeout,
      int connections) {
    this(host, port, user, password, database, prefix, timeout, connections, null);
  }

  /** For log lines; holds no secret. */
  public String address() {
    return host + ":" + port;
  }

  @Override
  public String toString() {
    return address() + "/" + database;
  }
}
