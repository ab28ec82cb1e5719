package io.duplog.benchmark.fault;

import io.duplog.benchmark.lab.LabException;
import io.duplog.benchmark.lab.Server;
import java.io.IOException;
import java.time.Duration;
import java.util.List;

/** Splunk's HTTP Event Collector in trouble. All bridges deliver to the same one. */
final class HecFaults {
  private static final int UNAVAILABLE_SECONDS = 60;
  private static final int SECONDS = 10;
  private static final int REFUSED_EVENTS = 5;
  private static final int ANSWERS_LOST = 10;
  private static final int DOWN_SECONDS = 4;

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
                  scene
                      .lab()
                      .hec()
                      .fault("fault=refuse-event&place=middle&code=6&times=" + REFUSED_EVENTS);
                  scene.hold(SECONDS);
                })
            .refusing(REFUSED_EVENTS),
        hec(
                "hec-answers-lost",
                "%d answers lost after the events were taken".formatted(ANSWERS_LOST),
                scene -> {
                  scene.lab().hec().fault("fault=cut&point=before-answer&times=" + ANSWERS_LOST);
                  scene.hold(SECONDS);
                })
            .allowing(Licences.answersLost(ANSWERS_LOST)),
        hec(
                "bridge-and-hec",
                "kill -9 of one bridge while the collector answers 503",
                HecFaults::bridgeAndCollector)
            .allowing(Licences.bridgeLost(1))
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
              scene.lab().hec().fault(parameters);
              try {
                scene.hold(seconds);
              } finally {
                scene.lab().hec().clearFaults();
              }
            })
        .pausingAtMost(BACK_WITHIN.plusSeconds(seconds));
  }

  private static void bridgeAndCollector(Scene scene)
      throws LabException, IOException, InterruptedException {
    List<Server> bridge = List.of(scene.bridge().server());
    scene.lab().hec().fault("fault=answer&code=9");
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
