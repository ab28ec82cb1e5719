package io.duplog.benchmark.fault;

import io.duplog.benchmark.lab.FaultyNetwork;
import io.duplog.benchmark.lab.FaultyProxy;
import io.duplog.rig.LabException;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BiFunction;
import java.util.function.IntFunction;

/** The network between one bridge and one of its peers. */
final class NetworkFaults {
  private static final int REFUSED_SECONDS = 10;
  private static final int SILENT_SECONDS = 20;
  private static final int SLOW_SECONDS = 10;
  private static final Duration SLOWER = Duration.ofMillis(500);
  private static final int RESETS = 10;

  /**
   * Who is at the other end.
   *
   * @param licence what its absence for so many seconds licenses
   */
  private record Peer(
      String name,
      String text,
      Setup setup,
      BiFunction<FaultyNetwork, Scene, FaultyProxy> wire,
      IntFunction<Bound> licence) {}

  private static final List<Peer> PEERS =
      List.of(
          new Peer(
              "broker",
              "a broker",
              Setup.PROXIED,
              (network, scene) -> network.toBroker(scene.node().stream()),
              seconds -> Bound.none()),
          new Peer(
              "redis",
              "Redis",
              Setup.PROXIED,
              (network, scene) -> network.toRedis(),
              ExpectedDuplicates::redisAway),
          new Peer(
              "hec",
              "the collector",
              Setup.HEC_PROXIED,
              (network, scene) -> network.toHec(),
              ExpectedDuplicates::answersLost));

  private NetworkFaults() {}

  static List<Fault> all() {
    List<Fault> faults = new ArrayList<>();
    for (Peer peer : PEERS) {
      faults.add(
          fault(
              peer,
              "refused",
              "refused for " + REFUSED_SECONDS + " s",
              REFUSED_SECONDS,
              (wire, scene) -> {
                wire.refuse();
                scene.hold(REFUSED_SECONDS);
              }));
      faults.add(
          fault(
              peer,
              "silent",
              "silently dropped for " + SILENT_SECONDS + " s",
              SILENT_SECONDS,
              (wire, scene) -> {
                wire.silence();
                scene.hold(SILENT_SECONDS);
              }));
      faults.add(
          fault(
              peer,
              "slow",
              SLOWER.toMillis() + " ms slower each way for " + SLOW_SECONDS + " s",
              SLOW_SECONDS,
              (wire, scene) -> {
                wire.delay(SLOWER);
                scene.hold(SLOW_SECONDS);
              }));
      faults.add(
          fault(
              peer,
              "reset",
              "reset in mid-frame, " + RESETS + " times in a second each",
              RESETS,
              (wire, scene) -> scene.repeat(RESETS, 1, again -> wire.resetInMidFrame())));
    }
    return faults;
  }

  private interface Disturbance {
    void on(FaultyProxy wire, Scene scene) throws LabException, IOException, InterruptedException;
  }

  private static Fault fault(
      Peer peer, String kind, String what, int seconds, Disturbance disturbance) {
    return Fault.of(
            "net-" + kind + "-" + peer.name(),
            "network between a bridge and " + peer.text() + " " + what,
            scene -> {
              FaultyNetwork network = scene.lab().network();
              try {
                disturbance.on(peer.wire().apply(network, scene), scene);
              } finally {
                network.mend();
              }
            })
        .inSetup(peer.setup())
        .allowing(peer.licence().apply(seconds));
  }
}
