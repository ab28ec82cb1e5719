package io.duplog.benchmark.fault;

import io.duplog.benchmark.lab.BridgeProcess;
import io.duplog.rig.LabException;
import io.duplog.rig.Server;
import io.duplog.rig.Signal;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

/** kill -9, SIGTERM and SIGSTOP of each part. */
final class ProcessFaults {
  private static final int DOWN_SECONDS = 2;

  /** Until a server that was started serves, on a busy machine. */
  private static final int START_SECONDS = 6;

  private static final int FROZEN_SECONDS = 20;
  private static final int MISNAMED_SECONDS = 8;
  private static final Duration FROZEN = Duration.ofSeconds(FROZEN_SECONDS);

  /** Nobody can deliver until one has started again, which is the machine's matter. */
  private static final Duration NOBODY_THERE = Duration.ofSeconds(30);

  /**
   * A part that is one process or two.
   *
   * @param killed what its death licenses
   * @param frozen what its standing still licenses
   */
  private record Part(
      String name,
      String text,
      Function<Scene, List<Server>> servers,
      boolean ofTheNode,
      Bound killed,
      Bound frozen,
      Duration gapLimit,
      Duration frozenGapLimit) {}

  private static final List<Part> PARTS =
      List.of(
          new Part(
              "rsyslog",
              "one rsyslog",
              scene -> List.of(scene.node().rsyslog().server()),
              true,
              Bound.none(),
              Bound.none(),
              Fault.SERVER_LOST,
              Fault.SERVER_LOST),
          new Part(
              "broker",
              "one broker",
              scene -> List.of(scene.node().broker().server()),
              true,
              Bound.none(),
              Bound.none(),
              Fault.SERVER_LOST,
              Fault.SERVER_LOST),
          new Part(
              "redis",
              "Redis",
              scene -> List.of(scene.redis()),
              false,
              ExpectedDuplicates.redisAway(DOWN_SECONDS + START_SECONDS),
              ExpectedDuplicates.redisAway(FROZEN_SECONDS),
              Fault.SERVER_LOST,
              Fault.SERVER_LOST),
          new Part(
              "bridge",
              "one bridge",
              scene -> List.of(scene.bridge().server()),
              false,
              ExpectedDuplicates.bridgeLost(1),
              ExpectedDuplicates.bridgeLost(1),
              Fault.BRIDGE_DIED,
              Fault.BRIDGE_HANGS),
          new Part(
              "bridges",
              "both bridges",
              Scene::bridges,
              false,
              ExpectedDuplicates.bridgeLost(2),
              ExpectedDuplicates.bridgeLost(2),
              NOBODY_THERE,
              FROZEN.plus(Fault.BRIDGE_HANGS)));

  private ProcessFaults() {}

  static List<Fault> all() {
    List<Fault> faults = new ArrayList<>();
    for (Part part : PARTS) {
      faults.add(kill(part));
      faults.add(terminate(part));
      faults.add(freeze(part));
    }
    faults.addAll(shim());
    return faults;
  }

  private static Fault kill(Part part) {
    return striking(
        part,
        Fault.of(
                "kill-" + part.name(),
                "kill -9 of " + part.text() + ", started again after " + DOWN_SECONDS + " s",
                scene -> {
                  List<Server> servers = part.servers().apply(scene);
                  for (Server server : servers) {
                    server.signal(Signal.KILL); // all at one instant
                  }
                  servers.forEach(Server::kill);
                  scene.hold(DOWN_SECONDS);
                  scene.revive(servers);
                })
            .allowing(part.killed())
            .pausingAtMost(part.gapLimit()));
  }

  /** An end in order costs nothing, except where the memory ends. */
  private static Fault terminate(Part part) {
    return striking(
        part,
        Fault.of(
                "term-" + part.name(),
                "SIGTERM to " + part.text() + ", started again after " + DOWN_SECONDS + " s",
                scene -> {
                  List<Server> servers = part.servers().apply(scene);
                  scene.terminate(servers);
                  scene.hold(DOWN_SECONDS);
                  scene.revive(servers);
                })
            .allowing(part.name().equals("redis") ? part.killed() : Bound.none())
            .pausingAtMost(part.gapLimit()));
  }

  private static Fault freeze(Part part) {
    return striking(
        part,
        Fault.of(
                "stop-" + part.name(),
                "SIGSTOP of " + part.text() + " for " + FROZEN_SECONDS + " s",
                scene -> scene.freeze(part.servers().apply(scene), FROZEN))
            .allowing(part.frozen())
            .pausingAtMost(part.frozenGapLimit()));
  }

  private static Fault striking(Part part, Fault fault) {
    return part.ofTheNode() ? fault.strikingTheNode() : fault;
  }

  /** rsyslog starts another by itself. */
  private static List<Fault> shim() {
    return List.of(
        shim(
            "kill-shim",
            "kill -9 of one shim",
            scene -> {
              Signal.KILL.send(scene.node().rsyslog().shims());
              scene.hold(DOWN_SECONDS);
            }),
        shim(
            "term-shim",
            "SIGTERM to one shim",
            scene -> {
              Signal.TERM.send(scene.node().rsyslog().shims());
              scene.hold(DOWN_SECONDS);
            }),
        shim(
            "stop-shim",
            "SIGSTOP of one shim for " + FROZEN_SECONDS + " s",
            scene -> {
              List<ProcessHandle> shims = scene.node().rsyslog().shims();
              Signal.STOP.send(shims);
              scene.hold(FROZEN);
              Signal.CONT.send(shims);
            }));
  }

  private static Fault shim(String name, String what, Fault.Strike strike) {
    return Fault.of(name, what, strike).strikingTheNode().allowing(ExpectedDuplicates.sentAgain());
  }

  /** A bridge that takes each stream for the other one. */
  static Fault misnamed() {
    return Fault.of(
            "stream-misnamed",
            "one bridge is started again with the streams' names exchanged, and corrected after "
                + MISNAMED_SECONDS
                + " s",
            scene -> {
              restartWithOtherNames(scene);
              scene.hold(MISNAMED_SECONDS);
              restartWithOtherNames(scene);
            })
        .allowing(ExpectedDuplicates.misnamed(MISNAMED_SECONDS + START_SECONDS))
        .pausingAtMost(Fault.BRIDGE_DIED);
  }

  private static void restartWithOtherNames(Scene scene)
      throws LabException, IOException, InterruptedException {
    BridgeProcess bridge = scene.bridge();
    scene.terminate(List.of(bridge.server()));
    bridge.exchangeNames();
    scene.revive(List.of(bridge.server()));
  }
}
