package io.duplog.benchmark.fault;

import io.duplog.benchmark.lab.FaultyProxy;
import io.duplog.rig.LabException;
import io.duplog.rig.Server;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** Whole hosts that go, for a while or for good. */
final class HostFaults {
  private static final int GONE_SECONDS = 60;
  private static final int BACKLOG_SECONDS = 4;

  /** Longer than heartbeats and lease together take to notice. */
  private static final int VANISHED_SECONDS = 25;

  private static final int FIRES = 20;

  /** Each answer of the collector, so that there is always something under way. */
  private static final int SLOW_MILLIS = 200;

  private static final int REDIS_DOWN_SECONDS = 6;
  private static final Duration FROZEN = Duration.ofSeconds(3);
  private static final Duration CATCHING_UP = Duration.ofMillis(150);
  private static final int GAP_SECONDS = 12;

  private HostFaults() {}

  static List<Fault> all() {
    return List.of(
        Fault.of(
                "node-gone",
                "a whole ingest node killed, started again after " + GONE_SECONDS + " s",
                HostFaults::nodeGone)
            .strikingTheNode(),
        Fault.of(
                "node-backlog",
                "a whole ingest node shut down with %d s of backlog, which it sends %d s later"
                    .formatted(BACKLOG_SECONDS, GONE_SECONDS),
                HostFaults::nodeBacklog)
            .strikingTheNode(),
        Fault.of(
                "bridge-host-gone",
                "a whole bridge host gone without a word, back after " + VANISHED_SECONDS + " s",
                HostFaults::bridgeHostGone)
            .inSetup(Setup.PROXIED)
            .allowing(ExpectedDuplicates.bridgeLost(1))
            .pausingAtMost(Fault.BRIDGE_HANGS),
        Fault.of(
                "host-burns",
                "%d times, with a slow collector: rsyslog, shim, broker with its disk, and bridge of one host destroyed"
                    .formatted(FIRES),
                scene -> burn(scene, List.of()))
            .inSetup(Setup.HEC)
            .strikingTheNode()
            .allowing(ExpectedDuplicates.bridgeLost(1).times(FIRES))
            .pausingAtMost(Fault.BRIDGE_HANGS),
        Fault.of(
                "host-burns-backlog",
                "the same once, while the bridges catch up with %d s of backlog"
                    .formatted(FROZEN.toSeconds()),
                HostFaults::burnWhileCatchingUp)
            .strikingTheNode()
            .allowing(ExpectedDuplicates.bridgeLost(2))
            .pausingAtMost(FROZEN.plus(Fault.BRIDGE_HANGS)),
        Fault.of(
                "host-burns-redis",
                "%d times: the same, with Redis on that host".formatted(FIRES),
                scene -> burn(scene, List.of(scene.redis())))
            .inSetup(Setup.HEC)
            .strikingTheNode()
            .allowing(
                ExpectedDuplicates.bridgeLost(1)
                    .and(ExpectedDuplicates.redisAway(REDIS_DOWN_SECONDS))
                    .times(FIRES))
            .pausingAtMost(Fault.BRIDGE_HANGS));
  }

  private static void nodeGone(Scene scene) throws LabException, InterruptedException {
    List<Server> host = List.of(scene.node().rsyslog().server(), scene.node().broker().server());
    scene.burn(host);
    scene.hold(GONE_SECONDS);
    reviveNode(scene);
  }

  /** Its rsyslog goes on without a broker, and then takes its queue to the disk. */
  private static void nodeBacklog(Scene scene) throws LabException, InterruptedException {
    scene.terminate(List.of(scene.node().broker().server()));
    scene.hold(BACKLOG_SECONDS);
    scene.terminate(List.of(scene.node().rsyslog().server()));
    scene.hold(GONE_SECONDS);
    reviveNode(scene);
    scene.hold(BACKLOG_SECONDS);
  }

  /** rsyslog first, as it may be after a power failure: the shim has to wait for its broker. */
  private static void reviveNode(Scene scene) throws LabException, InterruptedException {
    scene.revive(List.of(scene.node().rsyslog().server(), scene.node().broker().server()));
  }

  /** No connection is closed: those on the other side have to find out. */
  private static void bridgeHostGone(Scene scene)
      throws LabException, IOException, InterruptedException {
    scene.lab().network().all().forEach(FaultyProxy::silence);
    scene.bridge().server().kill();
    scene.hold(VANISHED_SECONDS);
    scene.lab().network().mend();
    scene.revive(List.of(scene.bridge().server()));
  }

  /** The bridge that is left has dropped copies on account of what burns with the other one. */
  private static void burnWhileCatchingUp(Scene scene) throws LabException, InterruptedException {
    List<Server> host = scene.host();
    scene.freeze(scene.bridges(), FROZEN);
    scene.hold(CATCHING_UP);
    scene.burn(host);
    scene.node().wipe();
    scene.hold(GAP_SECONDS);
    scene.revive(host);
  }

  private static void burn(Scene scene, List<Server> more)
      throws LabException, IOException, InterruptedException {
    List<Server> host = new ArrayList<>(more);
    host.addAll(scene.host());
    scene.hec("fault=slow&millis=" + SLOW_MILLIS);
    for (int i = 0; i < FIRES; i++) {
      scene.hold(Duration.ofMillis(scene.random().nextInt(1500)));
      scene.burn(host);
      scene.node().wipe();
      scene.hold(Duration.ofMillis(scene.random().nextInt(1000)));
      scene.revive(host);
    }
    scene.lab().hec().clearFaults();
  }
}
