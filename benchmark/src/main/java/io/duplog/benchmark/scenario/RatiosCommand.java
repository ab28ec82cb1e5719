package io.duplog.benchmark.scenario;

import com.google.common.collect.ImmutableMap;
import io.duplog.benchmark.lab.LabPlan;
import io.duplog.benchmark.load.Flood;
import io.duplog.benchmark.load.NumberedLines;
import io.duplog.benchmark.load.Workload;
import io.duplog.benchmark.measure.Calibration;
import io.duplog.benchmark.peer.Peer;
import io.duplog.benchmark.peer.PeerLab;
import io.duplog.benchmark.report.Rounds;
import io.duplog.benchmark.report.Run;
import io.duplog.rig.LabException;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * The command {@code ratios}: measures Duplog beside its alternatives, to compute the ratios in the
 * goals. Each round makes every run once, so that ratios within a round can be compared.
 *
 * @see "docs/decisions/benchmark.md#speed-limits"
 */
@Command(
    name = "ratios",
    description = {
      "Makes rounds of short runs. Each round has one run of each kind: Duplog, its alternatives, a"
          + " pair at several loads and while parts restart, and Redis alone.",
      "A run is repeated, at most twice, if other work on the host spoilt it."
    })
public final class RatiosCommand extends ScenarioCommand {
  private static final int RUN_SECONDS = 10;

  /** Number of first calibrations to discard. Their code has not been compiled yet. */
  private static final int DISCARDED_CALIBRATIONS = 3;

  /** Longer warm-up for small loads. At a low rate, compilation costs as much as all messages. */
  private static final WarmUp LONG_WARM_UP = WarmUp.withMaximum(Duration.ofSeconds(45));

  private static final int CONNECTIONS = 10;

  /** The sinks beside HEC, by their names in tables. */
  private static final ImmutableMap<String, LabPlan.Sink> SECOND_SINKS =
      ImmutableMap.of(
          "an archive", LabPlan.Sink.HEC_AND_ARCHIVE,
          "a second HEC", LabPlan.Sink.TWO_HECS,
          "Kafka", LabPlan.Sink.HEC_AND_KAFKA);

  private static final double BYTES_PER_MEGABYTE = 1e6;
  private static final double PERCENT_PER_UNIT = 100;

  /**
   * Number of digests to measure with a dead stream. This number is enough for a stable memory size
   * per digest.
   */
  private static final int UNMATCHED_DIGESTS = 1_000_000;

  @Option(
      names = "--rounds",
      paramLabel = "N",
      description = "Number of rounds. Each takes some minutes (default: ${DEFAULT-VALUE}).")
  private int rounds = 5;

  @Option(
      names = "--spread",
      paramLabel = "PERCENT",
      defaultValue = "20",
      description =
          "Largest average difference between the machine's speeds before and after a run"
              + " (default: ${DEFAULT-VALUE}). A run is spoilt and repeated if the difference is larger, or if"
              + " the host took more than a tenth of that share of the processors' time.")
  private double maxSpeedChangePercent;

  @Override
  void runScenario(ScenarioLabs labs) throws LabException, IOException, InterruptedException {
    for (int i = 0; i < DISCARDED_CALIBRATIONS; i++) {
      Calibration.now();
    }
    for (int round = 1; round <= rounds; round++) {
      print("round %d of %d".formatted(round, rounds));
      runRound(labs, round);
      if (!runs().isEmpty()) {
        writeReport(); // An interrupted command leaves results.
      }
    }
  }

  private void runRound(ScenarioLabs labs, int round) throws InterruptedException {
    Duration window = runDuration(RUN_SECONDS);
    runLabIfSelected(
        "prototype",
        round,
        () -> List.of(PipedPair.floodPrototype(labs, "prototype", seed(), window)));
    runLabIfSelected("duplog", round, () -> List.of(measureDuplog(labs, window)));
    NumberedLines lines = NumberedLines.structured(seed());
    for (Peer peer : Peer.values()) {
      if (peer.nodes() > 1) {
        runLabIfSelected(
            peer.toString(), round, () -> List.of(measurePeer(labs, peer, lines, window)));
      }
    }
    for (int nodes = 1; nodes <= 2; nodes++) {
      for (Map.Entry<String, LabPlan.Ingest> ingest : SyslogPair.INGEST_BY_NAME.entrySet()) {
        SyslogPair pair = new SyslogPair(nodes, ingest.getValue(), CONNECTIONS);
        String name = (nodes == 1 ? "node, " : "pair, ") + ingest.getKey();
        runLabIfSelected(name, round, () -> List.of(pair.flood(labs, name, lines, window)));
      }
    }
    for (Map.Entry<String, LabPlan.Sink> second : SECOND_SINKS.entrySet()) {
      SyslogPair pair = new SyslogPair(2, LabPlan.Ingest.RSYSLOG, CONNECTIONS, second.getValue());
      String name = "pair, confirmed, and " + second.getKey();
      runLabIfSelected(name, round, () -> List.of(pair.flood(labs, name, lines, window)));
    }
    NumberedLines events = NumberedLines.firewall(seed());
    runLabIfSelected(
        "load",
        round,
        () -> SyslogPair.DEPLOYED_PAIR.measureLoadSteps(labs, events, LONG_WARM_UP, window));
    runLabIfSelected("load, HEC in", round, () -> measureHecLoad(labs, events, window));
    runLabIfSelected("Redis", round, () -> RedisGrowth.measureHealthyPair(window));
    runLabIfSelected(
        "Redis, one stream dead",
        round,
        () -> RedisGrowth.measureUnmatchedDigests(List.of(UNMATCHED_DIGESTS)));
  }

  /** Makes one lab's runs if the command line selects them. A failure does not end the command. */
  private void runLabIfSelected(String name, int round, CalibratedRuns.Attempt<List<Run>> attempt)
      throws InterruptedException {
    if (!selectRun(name)) {
      return;
    }
    CalibratedRuns calibrated =
        new CalibratedRuns(Calibration::now, maxSpeedChangePercent / PERCENT_PER_UNIT, this::print);
    try {
      for (Run run : calibrated.of(attempt)) {
        Run namedRun = run.withVariant(Rounds.name(run.variant(), round));
        print("  " + namedRun.summary());
        runs().add(namedRun);
      }
    } catch (LabException | IOException | RuntimeException e) {
      recordFailure(Rounds.name(name, round), e);
    }
  }

  private Run measureDuplog(ScenarioLabs labs, Duration window)
      throws LabException, IOException, InterruptedException {
    Run run = DuplogCommand.SUSTAINED_PAIR.flood(labs, "duplog", seed(), labs.warmUp(), window);
    Map<String, Long> resident = run.residentBytes();
    return run.withFigures(
        Map.of(
            "MB a bridge", resident.getOrDefault("bridge", 0L) / BYTES_PER_MEGABYTE,
            "MB a shim", resident.getOrDefault("shim", 0L) / BYTES_PER_MEGABYTE / 2));
  }

  /** Measures the loads of a pair whose clients speak HEC; the runs' names say so. */
  private static List<Run> measureHecLoad(ScenarioLabs labs, NumberedLines events, Duration window)
      throws LabException, IOException, InterruptedException {
    return new SyslogPair(2, LabPlan.Ingest.HEC, CONNECTIONS)
        .measureLoadSteps(labs, events, LONG_WARM_UP, window).stream()
            .map(run -> run.withVariant(run.variant() + ", HEC in"))
            .toList();
  }

  private static Run measurePeer(ScenarioLabs labs, Peer peer, NumberedLines lines, Duration window)
      throws LabException, IOException, InterruptedException {
    return labs.measure(
        (folder, jars) -> new PeerLab(folder, peer),
        lines,
        (lab, measurement) ->
            measurement.run(
                new Workload(
                    lines,
                    "",
                    new Flood(measurement::delivered, SyslogPair.MAX_IN_FLIGHT),
                    Pipes.openTcpConnections(lab.receivers(), CONNECTIONS)),
                peer.toString(),
                Map.of("nodes", Integer.toString(peer.nodes())),
                labs.warmUp(),
                window));
  }
}
