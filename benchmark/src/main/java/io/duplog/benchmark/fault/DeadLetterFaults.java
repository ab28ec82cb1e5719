package io.duplog.benchmark.fault;

import io.duplog.benchmark.lab.IngestNode;
import io.duplog.rig.LabException;
import io.duplog.rig.Server;
import java.io.IOException;
import java.time.Duration;
import java.util.List;

/** RecurringWarning with the place for what the collector refuses for good. */
final class DeadLetterFaults {
  private static final int REFUSED_EVENTS = 100;
  private static final int FULL_SECONDS = 15;
  private static final Duration FULL_HOLDS_UP = Duration.ofSeconds(2);

  /** In letters. */
  private static final int LENGTH_LIMIT = 1;

  /** Until events are refused, and before all of them are. */
  private static final Duration REFUSING = Duration.ofSeconds(1);

  private static final int BURNT_SECONDS = 4;

  private DeadLetterFaults() {}

  static List<Fault> all() {
    return List.of(
        Fault.of(
                "dead-letters-full",
                "the collector refuses %d events while both dead-letter queues are full for %d s"
                    .formatted(REFUSED_EVENTS, FULL_SECONDS),
                DeadLetterFaults::full)
            .inSetup(Setup.HEC)
            .pausingAtMost(FULL_HOLDS_UP)
            .refusing(REFUSED_EVENTS),
        Fault.of(
                "dead-letter-host-burns",
                "the collector refuses %d events, and amid them rsyslog, shim, broker with its disk, and bridge of one host are destroyed"
                    .formatted(REFUSED_EVENTS),
                DeadLetterFaults::hostBurns)
            .inSetup(Setup.HEC)
            .strikingTheNode()
            .allowing(ExpectedDuplicates.bridgeLost(1))
            .pausingAtMost(Fault.BRIDGE_HANGS)
            .refusing(REFUSED_EVENTS));
  }

  private static void full(Scene scene) throws LabException, IOException, InterruptedException {
    List<IngestNode> nodes = scene.lab().nodes();
    for (IngestNode node : nodes) {
      node.broker()
          .control(
              "set_policy",
              "chaos",
              "\\.dead-letter$",
              "{\"max-length\":%d}".formatted(LENGTH_LIMIT),
              "--apply-to",
              "queues");
    }
    refuseEvents(scene);
    scene.hold(FULL_SECONDS);
    for (IngestNode node : nodes) {
      if (node.queue().waitingDeadLetters() == 0) {
        throw new LabException(node.stream() + ": nothing waits beside the dead-letter queue");
      }
      node.broker().control("clear_policy", "chaos");
    }
  }

  private static void hostBurns(Scene scene)
      throws LabException, IOException, InterruptedException {
    List<Server> host = scene.host();
    refuseEvents(scene);
    scene.hold(REFUSING);
    scene.burn(host);
    scene.node().wipe();
    scene.hold(BURNT_SECONDS);
    scene.revive(host);
    scene.hold(BURNT_SECONDS);
  }

  private static void refuseEvents(Scene scene) throws IOException, InterruptedException {
    scene.hec("fault=refuse-event&code=6&target=events&poison=" + REFUSED_EVENTS);
  }
}
