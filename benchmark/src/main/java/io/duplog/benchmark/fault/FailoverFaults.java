package io.duplog.benchmark.fault;

import io.duplog.benchmark.lab.LabRedisCluster;
import io.duplog.rig.LabException;
import io.duplog.rig.RedisProcess;
import io.duplog.rig.Signal;
import java.io.IOException;
import java.time.Duration;
import java.util.List;

/** A Redis is lost until another one has taken its place; then it comes back as a replica. */
final class FailoverFaults {
  /** A silent second, and the election; what is deployed waits for two. */
  private static final int SECONDS = 5;

  private static final int GRACE_SECONDS = 3;
  private static final Duration POLL = Duration.ofMillis(100);
  private static final int POLLS = 400;

  /** A question to servers of which one may be down at the moment. */
  private interface Condition {
    boolean holds() throws IOException;
  }

  /** A Redis, and whether another one has taken its place. */
  private record Lost(RedisProcess redis, Condition replaced) {}

  private FailoverFaults() {}

  static List<Fault> all() {
    return List.of(
        fault(
            "sentinel-failover",
            "Redis killed, its replica promoted by Sentinel; then it comes back as a replica",
            Setup.STANDBY,
            scene -> kill(scene, standby(scene))),
        fault(
            "sentinel-hang",
            "Redis frozen until its replica was promoted by Sentinel; then it wakes up as a master",
            Setup.STANDBY,
            scene -> freeze(scene, standby(scene))),
        fault(
            "cluster-failover",
            "a master of a Redis Cluster killed, its replica takes over; then it comes back as a"
                + " replica",
            Setup.CLUSTER,
            scene -> kill(scene, cluster(scene))),
        fault(
            "cluster-hang",
            "a master of a Redis Cluster frozen until its replica has taken over; then it wakes up"
                + " as a master",
            Setup.CLUSTER,
            scene -> freeze(scene, cluster(scene))),
        fault(
            "cluster-reshard",
            "all slots of a master of a Redis Cluster but one moved to another by redis-cli"
                + " --cluster reshard",
            Setup.CLUSTER,
            scene -> {
              List<RedisProcess> masters = scene.lab().cluster().masters();
              scene.lab().cluster().reshard(masters.get(0), masters.get(masters.size() - 1));
            }));
  }

  private static Fault fault(String name, String what, Setup setup, Fault.Strike strike) {
    return Fault.of(name, what, strike)
        .inSetup(setup)
        .allowing(ExpectedDuplicates.redisAway(SECONDS));
  }

  private static Lost standby(Scene scene) throws IOException {
    RedisProcess master = scene.lab().standby().master();
    return new Lost(master, () -> scene.lab().standby().master() != master);
  }

  private static Lost cluster(Scene scene) throws IOException {
    LabRedisCluster cluster = scene.lab().cluster();
    RedisProcess master = cluster.masters().get(0);
    return new Lost(master, () -> !cluster.hasSlots(master));
  }

  /** It is killed, and started again. */
  private static void kill(Scene scene, Lost lost) throws LabException, InterruptedException {
    lost.redis().server().kill();
    await("replaced", lost.replaced(), scene);
    scene.hold(GRACE_SECONDS);
    scene.revive(List.of(lost.redis().server()));
    await("a replica again", lost.redis()::follows, scene);
  }

  /** It hangs, and wakes up as a master. */
  private static void freeze(Scene scene, Lost lost) throws LabException, InterruptedException {
    lost.redis().server().signal(Signal.STOP);
    try {
      await("replaced", lost.replaced(), scene);
      scene.hold(GRACE_SECONDS);
    } finally {
      lost.redis().server().signal(Signal.CONT);
    }
    await("a replica", lost.redis()::follows, scene);
  }

  private static void await(String state, Condition condition, Scene scene)
      throws LabException, InterruptedException {
    for (int i = 0; i < POLLS; i++) {
      try {
        if (condition.holds()) {
          return;
        }
      } catch (IOException e) {
        // asked again
      }
      scene.hold(POLL);
    }
    throw new LabException("the lost Redis is not %s after 40 s".formatted(state));
  }
}
