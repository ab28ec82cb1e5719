package io.duplog.dedup.redis;

import static java.util.stream.Collectors.joining;

import com.google.common.net.HostAndPort;
import io.duplog.config.Checks;
import io.duplog.config.Hosts;
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
    @Key(doc = "Host name or address.", defaultValue = HOST) String host,
    @Key(doc = "Port.", defaultValue = "" + PORT, unit = "port") int port,
    @Key(doc = "User, where Redis has users.", example = "duplog") @Nullable String user,
    @Key(doc = "Password.", example = "${file:/etc/duplog/redis.password}")
        @Nullable Secret password,
    @Key(doc = "Number of the database.", defaultValue = "0") int database,
    @Key(
            doc =
                "What the names of all keys begin with. The same for all bridges that merge"
                    + " the same streams, and another one for each deployment that shares this Redis:"
                    + " Redis's users.acl permits duplog and duplog:NAME.",
            defaultValue = "duplog")
        String prefix,
    @Key(
            doc =
                "How long connecting or a call may take. After that everything passes"
                    + " through undeduplicated until Redis is back.",
            defaultValue = "500ms")
        Duration timeout,
    @Key(
            doc =
                "Redis is spoken to in TLS where this section is there, if only as {}. Every file"
                    + " may be replaced at any time.",
            whereWanted = true)
        @Nullable TlsConfig tls,
    @Key(
            doc =
                "Redis is where sentinels say that the master is, where this section is there;"
                    + " host and port stay away then. User, password and tls above are for every"
                    + " server that may be the master.",
            whereWanted = true)
        @Nullable Sentinel sentinel,
    @Key(
            doc =
                "Redis is a cluster where this section is there; host, port, database and"
                    + " sentinel stay away then. User, password and tls above are for every"
                    + " node. The ledger is divided into as many parts as each stream has queues"
                    + " (streams.queue-count), and the parts among the cluster's masters. Not in"
                    + " dedup.spare.",
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
      parse("cluster", cluster.addresses, PORT, tls != null);
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
                  "Every sentinel, as host:port; without a port it is 26379. All are asked, so any"
                      + " one may be away.",
              example = "syslog-a:26379, syslog-b:26379, redis:26379")
          List<String> addresses,
      @Key(doc = "What the sentinels call the master.", defaultValue = "duplog") String master,
      @Key(doc = "User at the sentinels, where they have users.", example = "duplog")
          @Nullable String user,
      @Key(doc = "Password at the sentinels.", example = "${file:/etc/duplog/redis.password}")
          @Nullable Secret password,
      @Key(
              doc =
                  "The sentinels are spoken to in TLS where this section is there, if only as {}."
                      + " Every file may be replaced at any time.",
              whereWanted = true)
          @Nullable TlsConfig tls) {

    public Sentinel {
      parse("addresses", addresses, SENTINEL_PORT, tls != null);
      Checks.notBlank("master", master);
      if (user != null && password == null) {
        throw Checks.refuse("password", "is missing; a user needs one");
      }
    }

    List<HostAndPort> places() {
      return parse("addresses", addresses, SENTINEL_PORT, tls != null);
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
                  "Nodes of the cluster, as host:port; without a port it is 6379. One that answers"
                      + " suffices, and says where all others are.",
              example = "redis-1:6379, redis-2:6379, redis-3:6379")
          List<String> addresses) {

    public Cluster {
      parse("addresses", addresses, PORT, false);
    }

    List<HostAndPort> places() {
      return parse("addresses", addresses, PORT, false);
    }

    String address() {
      return "cluster of " + text(places());
    }
  }

  /**
   * Parses a list of {@code host:port}.
   *
   * @param encrypted whether these hosts are accessed by TLS, which verifies their names
   * @throws IllegalArgumentException if an entry is not {@code host:port}; its message names the
   *     key
   */
  private static List<HostAndPort> parse(
      String key, List<String> addresses, int defaultPort, boolean encrypted) {
    Checks.distinctNames(key, addresses);
    return addresses.stream().map(address -> parse(key, address, defaultPort, encrypted)).toList();
  }

  private static HostAndPort parse(String key, String address, int defaultPort, boolean encrypted) {
    String problem = "";
    try {
      HostAndPort place = HostAndPort.fromString(address).withDefaultPort(defaultPort);
      Checks.port(key, place.getPort());
      String wrong = Hosts.problem(place.getHost(), encrypted);
      if (wrong == null) {
        return place;
      }
      problem = ": " + wrong;
    } catch (IllegalArgumentException e) {
      boolean isMore = address.contains("://") || address.contains("@");
      problem = isMore ? ": " + Hosts.problem(address, encrypted) : "";
    }
    throw Checks.refuse(key, "must be host:port each, not " + Checks.quoted(address) + problem);
  }

  /**
   * Creates the login for each server that may have the ledger or a part of it. All of them share
   * the TLS settings.
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
