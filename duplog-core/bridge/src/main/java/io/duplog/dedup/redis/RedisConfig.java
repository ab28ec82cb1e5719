package io.duplog.dedup.redis;

import static java.util.stream.Collectors.joining;

import com.google.common.net.HostAndPort;
import io.duplog.config.Checks;
import io.duplog.config.Key;
import io.duplog.config.Secret;
import io.duplog.tls.CertificateFile;
import io.duplog.tls.Tls;
import io.duplog.tls.TlsConfig;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The configuration sections {@code dedup.redis} and {@code dedup.spare}, which say how to connect
 * to a Redis.
 */
public record RedisConfig(
    @Key(doc = "Host name or address of Redis.", defaultValue = HOST) String host,
    @Key(doc = "Port of Redis; with TLS usually 6380.", defaultValue = "" + PORT, unit = "port")
        int port,
    @Key(doc = "User name. `duplog init` makes duplog.", example = "duplog") @Nullable String user,
    @Key(
            doc = "Password of the user; prefer ${file:/path} to the literal password.",
            example = "${file:/etc/duplog/redis.password}")
        @Nullable Secret password,
    @Key(doc = "Number of the database.", defaultValue = "0") int database,
    @Key(
            doc =
                "First part of the names of all keys. Each deployment that shares this"
                    + " Redis needs another prefix; users.acl permits duplog and duplog:NAME. The"
                    + " same on all bridges; stop all of them to change it.",
            defaultValue = "duplog")
        String prefix,
    @Key(
            doc =
                "Maximum time to connect, and for each call. After that, Redis counts as"
                    + " unavailable, and messages pass through undeduplicated until it answers"
                    + " again.",
            defaultValue = "500ms")
        Duration timeout,
    @Key(
            doc =
                "Turns on TLS, even if the section is empty ({}). You may replace each"
                    + " file at any time, without a restart.",
            whereWanted = true)
        @Nullable TlsConfig tls,
    @Key(
            doc =
                "Addresses of sentinels, which name the current master. Don't set host and"
                    + " port then. User, password and tls above apply to every server that may"
                    + " become the master.",
            whereWanted = true)
        @Nullable Sentinel sentinel,
    @Key(
            doc =
                "Addresses of a Redis Cluster. Don't set host, port, database and sentinel"
                    + " then. User, password and tls above apply to every node. The ledger has"
                    + " one part for each queue of a stream, so all streams need the same"
                    + " queue-count. Not possible in dedup.spare.",
            whereWanted = true)
        @Nullable Cluster cluster) {

  private static final String HOST = "127.0.0.1";
  private static final int PORT = 6379;
  private static final int SENTINEL_PORT = 26_379;
  private static final Duration LONGEST_TIMEOUT = Duration.ofSeconds(30);

  public RedisConfig {
    Checks.host("host", host, tls != null);
    Checks.port("port", port);
    Checks.within("database", database, 0, 1_000_000);
    Checks.notBlank("prefix", prefix);
    Checks.positive("timeout", timeout);
    if (timeout.compareTo(LONGEST_TIMEOUT) > 0) {
      throw Checks.refuse(
          "timeout",
          "must not be longer than 30s. Otherwise a bridge counts as stuck while Redis hangs");
    }
    if (user != null && password == null) {
      throw Checks.refuse("password", "is missing; a user needs one");
    }
    if (sentinel != null && !(host.equals(HOST) && port == PORT)) {
      throw Checks.refuse(
          "sentinel", "excludes host and port, because the sentinels know the master");
    }
    if (cluster != null) {
      checkCluster(host.equals(HOST) && port == PORT, sentinel, database, prefix);
      Checks.addresses("cluster", cluster.addresses, PORT, tls != null);
    }
  }

  private static void checkCluster(
      boolean hasDefaultAddress, @Nullable Sentinel sentinel, int database, String prefix) {
    if (!hasDefaultAddress) {
      throw Checks.refuse(
          "cluster", "excludes host and port, because the cluster's nodes know each other");
    }
    if (sentinel != null) {
      throw Checks.refuse(
          "cluster", "excludes sentinel, because a cluster replaces its masters itself");
    }
    if (database != 0) {
      throw Checks.refuse("database", "must be 0 in a cluster, not " + database);
    }
    if (prefix.contains("{") || prefix.contains("}")) {
      throw Checks.refuse(
          "prefix", "must not have braces in a cluster, because they select the server");
    }
  }

  /** The configuration section {@code dedup.redis.sentinel}. */
  public record Sentinel(
      @Key(
              doc =
                  "All sentinels, as host:port; the default port is 26379. The bridge asks"
                      + " all of them, so one may be unavailable.",
              example = "syslog-a:26379, syslog-b:26379, redis:26379")
          List<String> addresses,
      @Key(doc = "Name of the master at the sentinels.", defaultValue = "duplog") String master,
      @Key(
              doc =
                  "User name at the sentinels, if they have users. `duplog init` makes"
                      + " duplog.",
              example = "duplog")
          @Nullable String user,
      @Key(
              doc = "Password at the sentinels; prefer ${file:/path} to the literal password.",
              example = "${file:/etc/duplog/redis.password}")
          @Nullable Secret password,
      @Key(
              doc =
                  "Turns on TLS, even if the section is empty ({}). You may replace each"
                      + " file at any time, without a restart.",
              whereWanted = true)
          @Nullable TlsConfig tls) {

    public Sentinel {
      Checks.addresses("addresses", addresses, SENTINEL_PORT, tls != null);
      Checks.notBlank("master", master);
      if (user != null && password == null) {
        throw Checks.refuse("password", "is missing; a user needs one");
      }
    }

    List<HostAndPort> places() {
      return Checks.addresses("addresses", addresses, SENTINEL_PORT, tls != null);
    }

    String address() {
      return "master '%s' of the sentinels %s".formatted(master, text(places()));
    }

    /**
     * Creates the login for all sentinels.
     *
     * @param timeout limit for connecting, and for each answer
     */
    RedisServer.Login login(Duration timeout) {
      Tls encryption = tls == null ? null : Tls.ofClient("the sentinels of " + master, tls);
      return new RedisServer.Login(user, password, encryption, 0, timeout, 1);
    }
  }

  /** The configuration section {@code dedup.redis.cluster}. */
  public record Cluster(
      @Key(
              doc =
                  "Nodes of the cluster, as host:port; the default port is 6379. One that"
                      + " answers is enough, because it knows the others.",
              example = "redis-1:6379, redis-2:6379, redis-3:6379")
          List<String> addresses) {

    public Cluster {
      Checks.addresses("addresses", addresses, PORT, false);
    }

    List<HostAndPort> places() {
      return Checks.addresses("addresses", addresses, PORT, false);
    }

    String address() {
      return "cluster of " + text(places());
    }
  }

  /**
   * Creates the login for each server that may have the ledger or one of its parts. All these
   * servers share the TLS settings.
   *
   * @param connections limit of simultaneous calls to a server
   */
  RedisServer.Login login(int connections) {
    String hop = cluster == null ? host + ":" + port : "cluster";
    hop = sentinel == null ? hop : sentinel.master;
    Tls encryption = tls == null ? null : Tls.ofClient("Redis " + hop, tls);
    return new RedisServer.Login(user, password, encryption, database, timeout, connections);
  }

  /** Returns the address of Redis, or the addresses that name it, for log lines. */
  public String address() {
    if (sentinel != null) {
      return sentinel.address();
    }
    return cluster == null ? host + ":" + port : cluster.address();
  }

  /**
   * Returns the addresses of the servers that know where the ledger is: sentinels, or nodes of a
   * cluster. Empty for a single server.
   */
  List<HostAndPort> guides() {
    if (sentinel != null) {
      return sentinel.places();
    }
    return cluster == null ? List.of() : cluster.places();
  }

  private static String text(List<HostAndPort> places) {
    return places.stream().map(HostAndPort::toString).collect(joining(", "));
  }

  /** Whether both sections name the same Redis. */
  public boolean isAt(RedisConfig other) {
    return host.equals(other.host)
        && port == other.port
        && Objects.equals(sentinel, other.sentinel)
        && Objects.equals(cluster, other.cluster);
  }

  /** Returns all certificate files that the section names. */
  public List<CertificateFile> certificateFiles() {
    return Stream.of(tls, sentinel == null ? null : sentinel.tls)
        .filter(Objects::nonNull)
        .flatMap(files -> files.certificateFiles().stream())
        .toList();
  }
}
