package io.duplog.dedup.redis;

import io.duplog.tls.Tls;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Where Redis is, and how long to wait for it.
 *
 * @param place which server it is, or who says that
 * @param login at each server that has the ledger or a part of it
 * @param database of no meaning in a cluster
 * @param prefix stands before every key
 * @param timeout for a connection and for an answer
 * @param connections how many calls may be under way at once
 */
public record RedisSettings(
    Place place, Login login, int database, String prefix, Duration timeout, int connections) {

  /** Who has the ledger. Its text is for log lines, and holds no secret. */
  public sealed interface Place permits Server, RedisSentinelSettings, RedisClusterSettings {}

  /** Always the same one. */
  public record Server(String host, int port) implements Place {
    @Override
    public String toString() {
      return host + ":" + port;
    }
  }

  /**
   * How to come in.
   *
   * @param user the ACL user; null for the default one
   * @param password null where none is needed
   * @param tls null where the server is spoken to in plain text
   */
  public record Login(@Nullable String user, @Nullable String password, @Nullable Tls tls) {
    /** As nobody, in plain text. */
    public static final Login NONE = new Login(null, null, null);

    @Override
    public String toString() {
      return user + (tls == null ? "" : " in TLS");
    }
  }

  /** For log lines; holds no secret. */
  public String address() {
    return place.toString();
  }

  @Override
  public String toString() {
    return address() + "/" + database;
  }
}
