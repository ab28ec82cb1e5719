package io.duplog.benchmark.scenario;

import io.duplog.benchmark.load.Flood;
import io.duplog.benchmark.load.NumberedLines;
import io.duplog.benchmark.load.Workload;
import io.duplog.benchmark.peer.Peer;
import io.duplog.benchmark.peer.PeerLab;
import io.duplog.benchmark.peer.PeerPackages;
import io.duplog.benchmark.report.Run;
import io.duplog.rig.LabException;
import java.io.IOException;
import java.time.Duration;
import java.util.Map;
import picocli.CommandLine.Command;

/** The same load, generator and sink for what one would take instead. */
@Command(
    name = "peers",
    description = {
      "sc4s's load through rsyslog alone into a file, through one syslog-ng and two into HEC, and"
          + " through a pair of Duplog, in one table.",
      "Fetches syslog-ng's packages with apt-get, and installs nothing."
    },
    mixinStandardHelpOptions = true,
    sortOptions = false)
public final class PeersCommand extends ScenarioCommand {
  private static final int WINDOW_SECONDS = 15;
  private static final int CONNECTIONS = 10;

  @Override
  void measure(Bench bench) throws LabException, IOException, InterruptedException {
    NumberedLines lines = NumberedLines.structured(seed());
    Duration window = window(WINDOW_SECONDS);
    PeerPackages packages = PeerPackages.ofThisBuild();
    for (Peer peer : Peer.values()) {
      if (wants(peer.toString())) {
        String obstacle = peer.isSyslogNg() ? packages.obstacle() : null;
        if (obstacle == null) {
          runs().add(measured(bench, peer, packages, lines, window));
        } else {
          remark(peer + " is left out: " + obstacle);
        }
      }
    }
    for (boolean confirmed : new boolean[] {false, true}) {
      String variant = "pair of Duplog, " + (confirmed ? "confirmed" : "unconfirmed");
      SyslogPair pair = new SyslogPair(2, confirmed, 0, CONNECTIONS);
      measure(variant, () -> pair.flood(bench, variant, lines, window));
    }
  }

  private static Run measured(
      Bench bench, Peer peer, PeerPackages packages, NumberedLines lines, Duration window)
      throws LabException, IOException, InterruptedException {
    return bench.measure(
        (folder, jars) -> new PeerLab(folder, peer, packages),
        Messages.numbered(lines),
        (lab, measurement) ->
            measurement.run(
                new Workload(
                    lines,
                    new byte[0],
                    new Flood(measurement::delivered, SyslogPair.UNDER_WAY),
                    Pipes.overTcp(lab.ports(), CONNECTIONS)),
                peer.toString(),
                Map.of("nodes", Integer.toString(peer.nodes())),
                bench.warmUp(),
                window));
  }
}
