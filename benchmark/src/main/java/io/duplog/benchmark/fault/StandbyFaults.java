package io.duplog.benchmark.fault;

import io.duplog.benchmark.lab.RedisStandby;
import io.duplog.rig.RedisProcess;
import java.util.List;

/** A Redis is lost that has another one, and sentinels. */
final class StandbyFaults {
  private StandbyFaults() {}

  static List<Fault> all() {
    return List.of(
        fault(
            "sentinel-failover",
            "Redis killed, its replica promoted by Sentinel; then it comes back as a replica",
            scene -> {
              RedisStandby standby = scene.lab().standby();
              RedisProcess lost = standby.master();
              Failover.kill(scene, lost, () -> standby.master() != lost);
            }),
        fault(
            "sentinel-hang",
            "Redis frozen until its replica was promoted by Sentinel; then it wakes up as a master",
            scene -> {
              RedisStandby standby = scene.lab().standby();
              RedisProcess lost = standby.master();
              Failover.freeze(scene, lost, () -> standby.master() != lost);
            }));
  }

  private static Fault fault(String name, String what, Fault.Strike strike) {
    return Fault.of(name, what, strike)
        .inSetup(Setup.STANDBY)
        .allowing(Licences.redisAway(Failover.SECONDS));
  }
}
