package io.duplog.benchmark.fault;

import io.duplog.benchmark.lab.IngestNode;
import io.duplog.rig.LabException;
import io.duplog.rig.Server;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** Two at once, everything at once, and a wrong clock. */
final class CombinedFaults {
  private static final int DOWN_SECONDS = 4;
  private static final int START_SECONDS = 8;

  /** In a healthy lab a message is with its broker long before. */
  private static final int CONFIRMED_SECONDS = 2;

  /** What the brokers hold when they die. */
  private static final int BACKLOG_SECONDS = 4;

  private static final int CLOCK_SECONDS = 5;

  private CombinedFaults() {}

  static List<Fault> all() {
    return List.of(
        Fault.of(
                "redis-and-broker",
                "kill -9 of Redis and one broker at once, started again after "
                    + DOWN_SECONDS
                    + " s",
                scene ->
                    scene.restart(
                        DOWN_SECONDS, List.of(scene.redis(), scene.node().broker().server())))
            .strikingTheNode()
            .allowing(ExpectedDuplicates.redisAway(DOWN_SECONDS + START_SECONDS)),
        Fault.of(
                "bridge-and-disk",
                "kill -9 of one bridge while the other's disk is full",
                CombinedFaults::bridgeAndDisk)
            .inSetup(Setup.SMALL_DISK)
            .allowing(ExpectedDuplicates.bridgeLost(1))
            .pausingAtMost(Duration.ofSeconds(DOWN_SECONDS + START_SECONDS)),
        Fault.of(
                "everything-killed",
                "everything killed -9 at once, the brokers with %d s of backlog, and started again"
                    .formatted(BACKLOG_SECONDS),
                CombinedFaults::everything)
            .strikingTheNode()
            .allowing(
                ExpectedDuplicates.redisAway(BACKLOG_SECONDS + DOWN_SECONDS + START_SECONDS)
                    .and(ExpectedDuplicates.bridgeLost(2)))
            .pausingAtMost(Duration.ofMinutes(1)),
        clock("clock-behind", "behind", Setup.CLOCK_BEHIND),
        clock("clock-ahead", "ahead", Setup.CLOCK_AHEAD));
  }

  private static void bridgeAndDisk(Scene scene)
      throws LabException, IOException, InterruptedException {
    Server other = scene.bridges().get(1);
    FileFaults.whileFull(
        scene,
        () -> {
          other.kill();
          scene.hold(DOWN_SECONDS);
        });
    scene.revive(List.of(other));
  }

  /** The bridges a while before the rest, so that the brokers have something to keep. */
  private static void everything(Scene scene) throws LabException, InterruptedException {
    List<IngestNode> nodes = scene.lab().nodes();
    List<Server> ingest = nodes.stream().map(node -> node.rsyslog().server()).toList();
    List<Server> brokers = nodes.stream().map(node -> node.broker().server()).toList();
    List<Server> stores = new ArrayList<>(brokers);
    stores.add(scene.redis());
    List<Server> everything = new ArrayList<>(stores);
    everything.addAll(ingest);

    scene.burn(scene.bridges());
    scene.hold(BACKLOG_SECONDS);
    scene.load().promised(false);
    scene.hold(CONFIRMED_SECONDS);
    scene.burn(everything);
    scene.hold(DOWN_SECONDS);
    scene.revive(stores);
    scene.revive(ingest);
    scene.load().promised(true);
    scene.revive(scene.bridges());
  }

  /** It is wrong all the time: there is nothing to do. */
  private static Fault clock(String name, String direction, Setup setup) {
    return Fault.of(
            name,
            "the clock of one ingest node an hour " + direction,
            scene -> scene.hold(CLOCK_SECONDS))
        .inSetup(setup);
  }
}
