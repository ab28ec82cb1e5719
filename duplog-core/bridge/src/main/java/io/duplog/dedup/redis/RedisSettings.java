package io.duplog.dedup.redis;

import io.duplog.tls.Tls;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Where Redis is, and how to connect to it.
 *
 * @param place the server, or the sentinels or nodes that name it
 * @param login credentials for each server that has the ledger or a part of it
 * @param database number of the database; ignored in a cluster
 * @param prefix beginning of every key
 * @param timeout limit for connecting, and for each answer
 * @param connections most calls that may be under way at once
 */
public record RedisSettings(
    Place place, Login login, int database, String prefix, Duration timeout, int connections) {

  /**
   * The server that has the ledger, or the servers that name it. The text is for log lines, and
   * contains no secret.
   */
  public sealed interface Place permits Server, RedisSentinelSettings, RedisClusterSettings {}

  /** Address of a single Redis server that is used without failover. */
  public record Server(String host, int port) implements Place {
    @Override
    public String toString() {
      return host + ":" + port;
    }
  }

  /**
   * Credentials and encryption of a connection.
   *
   * @param user the ACL user; null for the default user
   * @param password null if none is needed
   * @param tls null for plain text
   */
  public record Login(@Nullable String user, @Nullable String password, @Nullable Tls tls) {
    /** Login as the default user, without password and TLS. */
    public static final Login NONE = new Login(null, null, null);

    @Override
    public String toString() {
      return user + (tls == null ? "" : " in TLS");
    }
  }

  /** Returns the address of Redis for log lines, without secrets. */
  public String address() {
    return place.toString();
  }

  @Override
  public String toString() {
    return address() + "/" + database;
  }
}
