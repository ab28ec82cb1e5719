package io.duplog.benchmark.fault;

import io.duplog.benchmark.lab.Rsyslog;
import io.duplog.rig.LabException;
import io.duplog.rig.Server;
import java.io.IOException;
import java.time.Duration;
import java.util.List;

/**
 * rsyslog ends while its broker is away, and no other node has what its queue holds. What its
 * workers had under way then is lost by rsyslog, up to two transactions: what was sent first after
 * the broker had gone. What a crash finds in memory is lost, too: what was sent last.
 */
final class DiskQueueFaults {
  /** In which more is sent than two transactions hold. */
  private static final int UNDER_WAY_SECONDS = 5;

  private static final int FILLING_SECONDS = 10;

  /** In which more is sent than the queue keeps in memory, its queue.highWatermark. */
  private static final int IN_MEMORY_SECONDS = 15;

  /** Until what was sent has reached the queue. */
  private static final int RECEIVED_SECONDS = 1;

  /** The broker's end and start among it, and rsyslog's, which waits for its transactions. */
  private static final Duration AWAY = Duration.ofMinutes(2);

  private DiskQueueFaults() {}

  static List<Fault> all() {
    return List.of(
        fault(
            "disk-queue-restart",
            "SIGTERM of the only rsyslog with a queue on disk while its broker is away",
            (scene, rsyslog) -> {
              scene.load().promised(true);
              scene.hold(IN_MEMORY_SECONDS);
              scene.load().promised(false);
              scene.hold(RECEIVED_SECONDS);
              scene.terminate(List.of(rsyslog));
            }),
        fault(
            "disk-queue-crash",
            "kill -9 of the only rsyslog with a queue on disk while its broker is away",
            (scene, rsyslog) -> {
              scene.hold(IN_MEMORY_SECONDS);
              scene.burn(List.of(rsyslog));
            }));
  }

  /** How rsyslog ends. Nothing is promised when it begins, nor must be when it has ended. */
  @FunctionalInterface
  private interface End {
    void of(Scene scene, Server rsyslog) throws LabException, InterruptedException;
  }

  private static Fault fault(String name, String what, End end) {
    return Fault.of(name, what, scene -> restart(scene, end))
        .inSetup(Setup.SINGLE)
        .pausingAtMost(AWAY);
  }

  private static void restart(Scene scene, End end)
      throws LabException, IOException, InterruptedException {
    Rsyslog rsyslog = scene.node().rsyslog();
    List<Server> broker = List.of(scene.node().broker().server());
    scene.load().promised(false);
    scene.hold(RECEIVED_SECONDS);
    scene.terminate(broker);
    scene.hold(UNDER_WAY_SECONDS);
    scene.load().promised(true);
    scene.hold(FILLING_SECONDS);
    scene.load().promised(false);
    end.of(scene, rsyslog.server());
    if (rsyslog.queuedOnDisk() == 0) {
      throw new LabException("the queue had nothing on disk");
    }
    scene.revive(List.of(rsyslog.server()));
    scene.load().promised(true);
    scene.revive(broker);
  }
}
