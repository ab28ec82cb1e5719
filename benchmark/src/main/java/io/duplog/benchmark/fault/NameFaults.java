package io.duplog.benchmark.fault;

import io.duplog.benchmark.lab.BridgeProcess;
import io.duplog.rig.LabException;
import io.duplog.rig.Server;
import java.io.IOException;
import java.util.List;

/** A part that takes another for what it is not. */
final class NameFaults {
  private static final int EXCHANGED_SECONDS = 8;

  /** From a bridge's first delivery until the scene knows that it serves, and to its end. */
  private static final int START_SECONDS = 6;

  private NameFaults() {}

  static List<Fault> all() {
    return List.of(
        Fault.of(
                "stream-misnamed",
                "one bridge is started again with the streams' names exchanged, and corrected after "
                    + EXCHANGED_SECONDS
                    + " s",
                scene -> {
                  restartWithOtherNames(scene);
                  scene.hold(EXCHANGED_SECONDS);
                  restartWithOtherNames(scene);
                })
            .allowing(Licences.misnamed(EXCHANGED_SECONDS + START_SECONDS))
            .pausingAtMost(Fault.BRIDGE_DIED));
  }

  private static void restartWithOtherNames(Scene scene)
      throws LabException, IOException, InterruptedException {
    BridgeProcess bridge = scene.bridge();
    List<Server> servers = List.of(bridge.server());
    scene.terminate(servers);
    bridge.exchangeNames();
    scene.revive(servers);
  }
}
