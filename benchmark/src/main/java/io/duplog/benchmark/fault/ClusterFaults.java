package io.duplog.benchmark.fault;

import io.duplog.benchmark.lab.LabRedisCluster;
import io.duplog.rig.RedisProcess;
import java.util.List;

/** A Redis Cluster, with a part of the ledger on each master, loses one or is resharded. */
final class ClusterFaults {
  private ClusterFaults() {}

  static List<Fault> all() {
    return List.of(
        fault(
            "cluster-failover",
            "a master of a Redis Cluster killed, its replica takes over; then it comes back as a"
                + " replica",
            scene -> {
              LabRedisCluster cluster = scene.lab().cluster();
              RedisProcess lost = cluster.masters().get(0);
              Failover.kill(scene, lost, () -> !cluster.hasSlots(lost));
            }),
        fault(
            "cluster-hang",
            "a master of a Redis Cluster frozen until its replica has taken over; then it wakes up"
                + " as a master",
            scene -> {
              LabRedisCluster cluster = scene.lab().cluster();
              RedisProcess lost = cluster.masters().get(0);
              Failover.freeze(scene, lost, () -> !cluster.hasSlots(lost));
            }),
        fault(
            "cluster-reshard",
            "all slots of a master of a Redis Cluster but one moved to another by redis-cli"
                + " --cluster reshard",
            scene -> {
              LabRedisCluster cluster = scene.lab().cluster();
              List<RedisProcess> masters = cluster.masters();
              cluster.reshard(masters.get(0), masters.get(masters.size() - 1));
            }));
  }

  private static Fault fault(String name, String what, Fault.Strike strike) {
    return Fault.of(name, what, strike)
        .inSetup(Setup.CLUSTER)
        .allowing(Licences.redisAway(Failover.SECONDS));
  }
}
