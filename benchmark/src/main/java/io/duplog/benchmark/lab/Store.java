package io.duplog.benchmark.lab;

import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** What a lab's bridges count in: one Redis, or several of which one takes another's place. */
sealed interface Store permits Redis, RedisStandby, LabRedisCluster {

  static Store of(LabPlan plan, LabDirectory directory, Ports ports) throws LabException {
    return switch (plan.redundancy) {
      case NONE -> new Redis(directory, ports.next(), plan.settableRedisClock);
      case SENTINELS -> new RedisStandby(directory, ports);
      case CLUSTER -> new LabRedisCluster(directory, ports);
    };
  }

  /** Where a bridge asks for it, as its configuration says it. */
  Map<String, String> settings();

  /** A list of places on this machine, as a bridge's configuration has it. */
  static String addresses(Collection<Integer> ports) {
    return ports.stream()
        .map(port -> "127.0.0.1:" + port)
        .collect(Collectors.joining(", ", "[", "]"));
  }

  /** Its servers that wait for no other. */
  List<Server> independent();

  /** Those that start one group after the other once the first ones serve; by what they are. */
  default Map<String, List<Server>> dependent() {
    return Map.of();
  }
}
