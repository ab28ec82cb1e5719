package io.duplog.benchmark.fault;

import io.duplog.rig.LabException;
import io.duplog.rig.RedisProcess;
import io.duplog.rig.Signal;
import java.io.IOException;
import java.time.Duration;
import java.util.List;

/** A Redis is lost until another one has taken its place; then it comes back as a replica. */
final class Failover {
  /** A silent second, and the election; what is deployed waits for two. */
  static final int SECONDS = 5;

  private static final int GRACE_SECONDS = 3;
  private static final Duration POLL = Duration.ofMillis(100);
  private static final int POLLS = 400;

  /** A question to servers of which one may be down at the moment. */
  interface Condition {
    boolean holds() throws IOException;
  }

  private Failover() {}

  /** It is killed, and started again. */
  static void kill(Scene scene, RedisProcess lost, Condition replaced)
      throws LabException, InterruptedException {
    lost.server().kill();
    await("replaced", replaced, scene);
    scene.hold(GRACE_SECONDS);
    scene.revive(List.of(lost.server()));
    await("a replica again", lost::follows, scene);
  }

  /** It hangs, and wakes up as a master. */
  static void freeze(Scene scene, RedisProcess lost, Condition replaced)
      throws LabException, InterruptedException {
    lost.server().signal(Signal.STOP);
    try {
      await("replaced", replaced, scene);
      scene.hold(GRACE_SECONDS);
    } finally {
      lost.server().signal(Signal.CONT);
    }
    await("a replica", lost::follows, scene);
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
