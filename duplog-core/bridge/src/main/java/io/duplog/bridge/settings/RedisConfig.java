package io.duplog.bridge.settings;

import io.duplog.config.Checks;
import io.duplog.config.Key;
import io.duplog.config.Secret;
import io.duplog.tls.TlsConfig;
import java.time.Duration;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** The configuration section {@code dedup.redis}. */
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
        @Nullable SentinelConfig sentinel,
    @Key(
            doc =
                "Redis is a cluster where this section is there; host, port, database and"
                    + " sentinel stay away then. User, password and tls above are for every"
                    + " node. The ledger is divided into as many parts as each stream has queues"
                    + " (streams.queue-count), and the parts among the cluster's masters. Not in"
                    + " dedup.spare.",
            whereWanted = true)
        @Nullable ClusterConfig cluster) {

  private static final String HOST = "127.0.0.1";
  private static final int PORT = 6379;
  private static final Duration LONGEST_TIMEOUT = Duration.ofSeconds(30);

  public RedisConfig {
    Checks.host("host", host, tls != null);
    Checks.port("port", port);
    Checks.within("database", database, 0, 1_000_000);
    Checks.notBlank("prefix", prefix);
    Checks.positive("timeout", timeout);
    if (timeout.compareTo(LONGEST_TIMEOUT) > 0) {
      throw Checks.refuse(
          "timeout", "must not be longer than 30s, or a bridge counts as stuck while Redis hangs");
    }
    if (user != null && password == null) {
      throw Checks.refuse("password", "is missing; a user needs one");
    }
    if (sentinel != null && !(host.equals(HOST) && port == PORT)) {
      throw Checks.refuse(
          "sentinel", "excludes host and port: the sentinels say where the master is");
    }
    if (cluster != null) {
      checkCluster(host.equals(HOST) && port == PORT, sentinel, database, prefix);
      cluster.check(tls != null);
    }
  }

  private static void checkCluster(
      boolean nowhere, @Nullable SentinelConfig sentinel, int database, String prefix) {
    if (!nowhere) {
      throw Checks.refuse("cluster", "excludes host and port: its nodes say where the others are");
    }
    if (sentinel != null) {
      throw Checks.refuse("cluster", "excludes sentinel: a cluster replaces its masters itself");
    }
    if (database != 0) {
      throw Checks.refuse("database", "must be 0 in a cluster, not " + database);
    }
    if (prefix.contains("{") || prefix.contains("}")) {
      throw Checks.refuse(
          "prefix", "must not have braces in a cluster, where they choose the server");
    }
  }

  boolean isAt(RedisConfig other) {
    return host.equals(other.host)
        && port == other.port
        && Objects.equals(sentinel, other.sentinel)
        && Objects.equals(cluster, other.cluster);
  }
}
