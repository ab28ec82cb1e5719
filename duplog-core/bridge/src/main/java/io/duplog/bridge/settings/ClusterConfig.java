package io.duplog.bridge.settings;

import io.duplog.config.Key;
import io.duplog.dedup.redis.RedisClusterSettings;
import java.util.List;

/** The configuration section {@code dedup.redis.cluster}. */
record ClusterConfig(
    @Key(
            doc =
                "Nodes of the cluster, as host:port; without a port it is 6379. One that answers"
                    + " suffices, and says where all others are.",
            example = "redis-1:6379, redis-2:6379, redis-3:6379")
        List<String> addresses) {

  private static final int DEFAULT_PORT = 6379;

  ClusterConfig {
    Addresses.parse("addresses", addresses, DEFAULT_PORT, false);
  }

  /**
   * Refuses nodes that can't have these names.
   *
   * @param encrypted whether the nodes are spoken to by TLS
   */
  void check(boolean encrypted) {
    if (encrypted) {
      Addresses.parse("cluster", addresses, DEFAULT_PORT, true);
    }
  }

  /**
   * Converts the section to the settings of a Redis ledger.
   *
   * @param parts number of the ledger's parts
   */
  RedisClusterSettings settings(int parts) {
    return new RedisClusterSettings(
        Addresses.parse("addresses", addresses, DEFAULT_PORT, false), parts);
  }
}
