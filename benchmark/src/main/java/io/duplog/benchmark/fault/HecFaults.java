package io.duplog.benchmark.fault;

import io.duplog.benchmark.lab.HecStandIn;
import io.duplog.rig.LabException;
import io.duplog.rig.Server;
import java.io.IOException;
import java.time.Duration;
import java.util.List;

/** Splunk's HTTP Event Collector in trouble. All bridges deliver to the same one. */
final class HecFaults {
  private static final int UNAVAILABLE_SECONDS = 60;
  private static final int SECONDS = 10;
  private static final int REFUSED_EVENTS = 5;
  private static final int ANSWERS_LOST = 10;

  /** So many that each of two bridges meets some. */
  private static final int POISON_FOR_BOTH = 12;

  /** Each request gets one, until all are there. */
  private static final int POISON_FLOOD = 1000;

  /** Dead letters within a minute. */
  private static final int POISON_SECONDS = 45;

  private static final Duration POISON_HOLDS_UP = Duration.ofSeconds(5);

  /** Until most of the flood is found, no request is without one. */
  private static final Duration FLOOD_HOLDS_UP = Duration.ofSeconds(15);

  private static final int DOWN_SECONDS = 4;

  private static final int LATE_SECONDS = 3;
  private static final String ACKS_LATE = "fault=acks&order=as-taken&millis=" + 1000 * LATE_SECONDS;
  private static final String ACKS_AT_ONCE = "fault=acks";
  private static final int SLOW_MILLIS = 200;

  /** Longer than bridges wait for an acknowledgement, so that they send again. */
  private static final int SILENT_SECONDS = HecStandIn.ACK_TIMEOUT_SECONDS + 5;

  /** The pauses between attempts grow while the collector is away. */
  private static final Duration BACK_WITHIN = Fault.BRIDGE_HANGS;

  private HecFaults() {}

  static List<Fault> all() {
    return List.of(
        lasting("hec-503", "503 for", "fault=answer&code=9", UNAVAILABLE_SECONDS),
        lasting(
            "hec-429",
            "429 with Retry-After 2 for",
            "fault=answer&status=429&code=26&retry-after=2",
            SECONDS),
        lasting("hec-401", "401 for", "fault=answer&code=2", SECONDS),
        lasting("hec-hangs", "accepts and never answers for", "fault=hang", SECONDS),
        hec(
                "hec-400",
                "400 for one event of a request, %d times".formatted(REFUSED_EVENTS),
                scene -> {
                  scene.hec("fault=refuse-event&place=middle&code=6&times=" + REFUSED_EVENTS);
                  scene.hold(SECONDS);
                })
            .refusing(REFUSED_EVENTS),
        poison("poison-403", "answers 403", "fault=answer&status=403", 1),
        poison("poison-reset", "breaks off", "fault=cut&point=request", 1),
        poison("poison-503", "answers 503", "fault=answer&code=9", 1),
        poison("poison-two-bridges", "answers 403", "fault=answer&status=403", POISON_FOR_BOTH),
        poison("poison-flood", "answers 403", "fault=answer&status=403", POISON_FLOOD)
            .pausingAtMost(FLOOD_HOLDS_UP),
        poison("poison-flood-503", "answers 503", "fault=answer&code=9", POISON_FLOOD)
            .pausingAtMost(FLOOD_HOLDS_UP),
        hec(
                "hec-answers-lost",
                "%d answers lost after the events were taken".formatted(ANSWERS_LOST),
                scene -> {
                  scene.hec("fault=cut&point=before-answer&times=" + ANSWERS_LOST);
                  scene.hold(SECONDS);
                })
            .allowing(ExpectedDuplicates.answersLost(ANSWERS_LOST)),
        hec(
                "kill-hec",
                "kill -9, started again after " + DOWN_SECONDS + " s",
                HecFaults::killCollector)
            .allowing(ExpectedDuplicates.answersLost(1))
            .pausingAtMost(BACK_WITHIN.plusSeconds(DOWN_SECONDS)),
        hec(
                "hec-acks-late",
                "acknowledges %d s late for %d s".formatted(LATE_SECONDS, SECONDS),
                scene -> acknowledging(scene, ACKS_LATE, SECONDS))
            .inSetup(Setup.HEC_ACKNOWLEDGED),
        hec(
                "hec-acks-never",
                "acknowledges nothing for %d s".formatted(SILENT_SECONDS),
                scene -> acknowledging(scene, "fault=acks&order=never", SILENT_SECONDS))
            .inSetup(Setup.HEC_ACKNOWLEDGED)
            .allowing(ExpectedDuplicates.acknowledgedLate(SILENT_SECONDS))
            .pausingAtMost(BACK_WITHIN.plusSeconds(SILENT_SECONDS)),
        hec(
                "hec-acks-lost",
                "kill -9 of one that acknowledges %d s late, started again after %d s"
                    .formatted(LATE_SECONDS, DOWN_SECONDS),
                scene -> {
                  scene.hec(ACKS_LATE);
                  scene.hold(LATE_SECONDS);
                  killCollector(scene);
                  scene.hold(HecStandIn.ACK_TIMEOUT_SECONDS);
                })
            .inSetup(Setup.HEC_ACKNOWLEDGED)
            .allowing(ExpectedDuplicates.acknowledgedLate(LATE_SECONDS))
            .pausingAtMost(BACK_WITHIN.plusSeconds(DOWN_SECONDS)),
        hec(
                "kill-bridge-acks",
                "acknowledges %d s late, and one bridge is killed -9 and started again"
                    .formatted(LATE_SECONDS),
                HecFaults::bridgeBeforeAcknowledgement)
            .inSetup(Setup.HEC_ACKNOWLEDGED)
            .allowing(
                ExpectedDuplicates.bridgeLost(1)
                    .and(ExpectedDuplicates.acknowledgedLate(LATE_SECONDS)))
            .pausingAtMost(Fault.BRIDGE_DIED),
        hec(
                "kill-bridge-slow-hec",
                "answers %d ms late, and one bridge is killed -9 and started again"
                    .formatted(SLOW_MILLIS),
                HecFaults::bridgeBeforeSlowCollector)
            .allowing(ExpectedDuplicates.bridgeLost(1))
            .pausingAtMost(Fault.BRIDGE_DIED),
        hec(
                "bridge-and-hec",
                "kill -9 of one bridge while the collector answers 503",
                HecFaults::bridgeAndCollector)
            .allowing(ExpectedDuplicates.bridgeLost(1))
            .pausingAtMost(BACK_WITHIN.plusSeconds(DOWN_SECONDS)));
  }

  private static Fault hec(String name, String what, Fault.Strike strike) {
    return Fault.of(name, "the collector: " + what, strike).inSetup(Setup.HEC);
  }

  private static Fault lasting(String name, String what, String parameters, int seconds) {
    return hec(
            name,
            what + " " + seconds + " s",
            scene -> {
              scene.hec(parameters);
              try {
                scene.hold(seconds);
              } finally {
                scene.lab().hec().clearFaults();
              }
            })
        .pausingAtMost(BACK_WITHIN.plusSeconds(seconds));
  }

  /** A firewall before the collector, or the collector itself, fails whatever holds a text. */
  private static Fault poison(String name, String what, String parameters, int events) {
    return hec(
            name,
            "%s for each request that holds %s"
                .formatted(
                    what, events == 1 ? "a certain event" : "one of %d events".formatted(events)),
            scene -> {
              scene.hec(parameters + "&target=events&poison=" + events);
              scene.hold(POISON_SECONDS);
            })
        .pausingAtMost(POISON_HOLDS_UP)
        .refusing(events);
  }

  private static void killCollector(Scene scene) throws LabException, InterruptedException {
    scene.restart(DOWN_SECONDS, List.of(scene.lab().hec().server()));
  }

  private static void acknowledging(Scene scene, String way, int seconds)
      throws IOException, InterruptedException {
    scene.hec(way);
    try {
      scene.hold(seconds);
    } finally {
      scene.hec(ACKS_AT_ONCE);
    }
  }

  private static void bridgeBeforeAcknowledgement(Scene scene)
      throws LabException, IOException, InterruptedException {
    scene.hec(ACKS_LATE);
    scene.hold(LATE_SECONDS);
    scene.restart(DOWN_SECONDS, List.of(scene.bridge().server()));
    scene.hec(ACKS_AT_ONCE);
  }

  private static void bridgeBeforeSlowCollector(Scene scene)
      throws LabException, IOException, InterruptedException {
    scene.hec("fault=slow&millis=" + SLOW_MILLIS);
    scene.hold(1);
    scene.restart(DOWN_SECONDS, List.of(scene.bridge().server()));
    scene.lab().hec().clearFaults();
  }

  private static void bridgeAndCollector(Scene scene)
      throws LabException, IOException, InterruptedException {
    List<Server> bridge = List.of(scene.bridge().server());
    scene.hec("fault=answer&code=9");
    try {
      scene.hold(1);
      scene.burn(bridge);
      scene.hold(DOWN_SECONDS);
    } finally {
      scene.lab().hec().clearFaults();
    }
    scene.revive(bridge);
  }
}
