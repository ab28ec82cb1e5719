package io.duplog.benchmark.lab;

import java.util.List;

/**
 * Where a bridge asks for what it counts in.
 *
 * @param ports of the one Redis, of the sentinels, or of the nodes of a cluster
 */
record StoreAddress(LabPlan.Redundancy redundancy, List<Integer> ports) {

  StoreAddress {
    ports = List.copyOf(ports);
  }

  /** As a bridge is told. */
  Settings settings() {
    return switch (redundancy) {
      case NONE ->
          Settings.NONE
              .with("dedup.redis.host", "127.0.0.1")
              .with("dedup.redis.port", Integer.toString(ports.get(0)));
      case SENTINELS -> Settings.NONE.with("dedup.redis.sentinel.addresses", addresses());
      case CLUSTER -> Settings.NONE.with("dedup.redis.cluster.addresses", addresses());
    };
  }

  private String addresses() {
    return ports.stream().map(port -> "127.0.0.1:" + port).toList().toString();
  }
}
