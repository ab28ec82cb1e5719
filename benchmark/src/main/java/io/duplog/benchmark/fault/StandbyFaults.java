package io.duplog.benchmark.fault;

import io.duplog.benchmark.lab.LabException;
import io.duplog.benchmark.lab.Redis;
import io.duplog.benchmark.lab.RedisStandby;
import io.duplog.benchmark.lab.Signal;
import java.io.IOException;
import java.time.Duration;
import java.util.List;

/** A Redis is lost that has another one, and sentinels. */
final class StandbyFaults {
  /** A silent second, and the election; the deployed sentinels wait for two. */
  private static final int FAILOVER_SECONDS = 5;

  private static final int GRACE_SECONDS = 3;
  private static final Duration POLL = Duration.ofMillis(100);
  private static final int POLLS = 400;

  private StandbyFaults() {}

  /** A question to servers of which one may be down at the moment. */
  private interface Condition {
    boolean holds() throws IOException;
  }

  static List<Fault> all() {
    return List.of(
        fault(
            "sentinel-failover",
            "Redis killed, its replica promoted by Sentinel; then it comes back as a replica",
            StandbyFaults::kill),
        fault(
            "sentinel-hang",
            "Redis frozen until its replica was promoted by Sentinel; then it wakes up as a master",
            StandbyFaults::freeze));
  }

  private static Fault fault(String name, String what, Fault.Strike strike) {
    return Fault.of(name, what, strike)
        .inSetup(Setup.STANDBY)
        .allowing(Licences.redisAway(FAILOVER_SECONDS));
  }

  private static void kill(Scene scene) throws LabException, IOException, InterruptedException {
    Redis lost = scene.lab().standby().master();
    lost.server().kill();
    awaitSuccessorOf(lost, scene);
    scene.revive(List.of(lost.server()));
    await("a replica again", lost::follows, scene);
  }

  private static void freeze(Scene scene) throws LabException, IOException, InterruptedException {
    Redis lost = scene.lab().standby().master();
    lost.server().signal(Signal.STOP);
    try {
      awaitSuccessorOf(lost, scene);
    } finally {
      lost.server().signal(Signal.CONT);
    }
    await("a replica", lost::follows, scene);
  }

  private static void awaitSuccessorOf(Redis lost, Scene scene)
      throws LabException, InterruptedException {
    RedisStandby standby = scene.lab().standby();
    await("replaced", () -> standby.master() != lost, scene);
    scene.hold(GRACE_SECONDS);
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
