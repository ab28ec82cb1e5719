package io.duplog.benchmark.lab;

import java.util.List;
import java.util.Map;

/** What a lab's bridges count in: one Redis, or several of which one takes another's place. */
sealed interface Store permits Redis, RedisStandby, RedisCluster {

  static Store of(LabPlan plan, LabDirectory directory, Ports ports) throws LabException {
    return switch (plan.redundancy()) {
      case NONE -> new Redis(directory, ports.next(), plan.settableRedisClock());
      case SENTINELS -> new RedisStandby(directory, ports);
      case CLUSTER -> new RedisCluster(directory, ports);
    };
  }

  /** Where bridges ask for it. */
  StoreAddress address();

  /** Its servers that wait for no other. */
  List<Server> independent();

  /** Those that start one group after the other once the first ones serve; by what they are. */
  Map<String, List<Server>> dependent();
}
