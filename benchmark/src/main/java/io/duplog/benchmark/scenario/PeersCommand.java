package io.duplog.benchmark.scenario;

import io.duplog.benchmark.load.Flood;
import io.duplog.benchmark.load.NumberedLines;
import io.duplog.benchmark.load.Workload;
import io.duplog.benchmark.peer.Peer;
import io.duplog.benchmark.peer.PeerLab;
import io.duplog.benchmark.peer.PeerPackages;
import io.duplog.benchmark.report.Run;
import io.duplog.benchmark.report.ScenarioReport;
import io.duplog.rig.LabException;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
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
  ScenarioReport measure(Bench bench) throws LabException, IOException, InterruptedException {
    NumberedLines lines = NumberedLines.structured(seed());
    Duration window = window(WINDOW_SECONDS);
    PeerPackages packages = PeerPackages.ofThisBuild();
    List<Run> runs = new ArrayList<>();
    List<String> remarks = new ArrayList<>();
    for (Peer peer : Peer.values()) {
      if (!wants(peer.toString())) {
        continue;
      }
      String obstacle = peer == Peer.RSYSLOG ? null : packages.obstacle();
      if (obstacle != null) {
        remarks.add(peer + " is left out: " + obstacle);
        continue;
      }
      measure(runs, peer.toString(), () -> measured(bench, peer, packages, lines, window));
    }
    for (boolean confirmed : new boolean[] {false, true}) {
      String variant = "pair of Duplog, " + (confirmed ? "confirmed" : "unconfirmed");
      SyslogPair pair = new SyslogPair(2, confirmed, 2, 0, CONNECTIONS);
      measure(runs, variant, () -> pair.flood(bench, variant, lines, warmUp(), window));
    }
    ratios(runs, remarks);
    remarks.add(
        "Two syslog-ng deliver every message twice, so all of it counts as duplicated: Splunk"
            + " would index, and bill, both. Neither they nor rsyslog alone keep a message on disk"
            + " or elsewhere before they have passed it on: what is in their memory is lost with"
            + " their host.");
    return new ScenarioReport(
        "peers",
        "The load of sc4s (RFC 5424, 800 bytes, 10 TCP connections to each node, as fast as it is"
            + " taken) from the same generator into the same HEC stand-in, and for rsyslog alone"
            + " into a file. Each message counts once, however often it is delivered. The peers'"
            + " configurations are src/main/resources/io/duplog/benchmark/peer/*.conf.",
        runs,
        List.of(),
        remarks,
        ScenarioReport.Gallery.EMPTY);
  }

  private Run measured(
      Bench bench, Peer peer, PeerPackages packages, NumberedLines lines, Duration window)
      throws LabException, IOException, InterruptedException {
    return bench.measure(
        (folder, jars) -> new PeerLab(folder, peer, packages),
        Messages.numbered(lines),
        (lab, delivered) ->
            new Workload(
                lines,
                new byte[0],
                new Flood(delivered, SyslogPair.UNDER_WAY),
                Pipes.overTcp(lab.ports(), CONNECTIONS)),
        (lab, measurement, load) ->
            measurement.run(
                load,
                peer.toString(),
                Map.of("nodes", Integer.toString(peer.nodes())),
                warmUp(),
                window));
  }

  /** To the pair of syslog-ng, or the first row where there is none. */
  private static void ratios(List<Run> runs, List<String> remarks) {
    if (runs.isEmpty()) {
      return;
    }
    Run mark =
        runs.stream()
            .filter(run -> run.variant().equals(Peer.SYSLOG_NG_PAIR.toString()))
            .findFirst()
            .orElse(runs.get(0));
    for (Run run : runs) {
      remarks.add(
          "`%s`: %.2f times the rate of `%s`, at %.2f times its CPU a message."
              .formatted(
                  run.variant(),
                  run.rate() / mark.rate(),
                  mark.variant(),
                  run.cpuMicrosWithoutGenerator() / mark.cpuMicrosWithoutGenerator()));
    }
  }
}
