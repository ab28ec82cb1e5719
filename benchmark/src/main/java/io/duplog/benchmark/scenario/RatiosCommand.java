package io.duplog.benchmark.scenario;

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
 * Measures the figures behind the goals: all runs of a round one after the other, round after
 * round, so that ratios within a round can be compared.
 *
 * @see "docs/decisions/benchmark.md#speed-limits"
 */
@Command(
    name = "ratios",
    description = {
      "Rounds of short runs, one of each in every round: Duplog, what one would take instead, a"
          + " pair at several loads and while parts are restarted, and Redis alone.",
      "A run that the host spoilt is made again, at most twice."
    })
public final class RatiosCommand extends ScenarioCommand {
  private static final int WINDOW_SECONDS = 10;

  /** Number of first calibrations to discard, because their code has not been compiled yet. */
  private static final int COLD = 3;

  /** Longer warm-up for small loads, because there compilation costs as much as all messages. */
  private static final WarmUp LONG_WARM_UP = WarmUp.upTo(Duration.ofSeconds(45));

  private static final int CONNECTIONS = 10;
  private static final double MEGABYTE = 1e6;
  private static final double PERCENT = 100;

  /**
   * Number of digests to measure with a dead stream, enough for a stable memory size per digest.
   */
  private static final int DIGESTS = 1_000_000;

  @Option(
      names = "--rounds",
      paramLabel = "N",
      description = "How many; each takes some minutes (default: ${DEFAULT-VALUE}).")
  private int rounds = 5;

  @Option(
      names = "--spread",
      paramLabel = "PERCENT",
      defaultValue = "20",
      description =
          "A run is spoilt, and made again, if the speeds of its calibration before and after"
              + " differ by more on average (default: ${DEFAULT-VALUE}), or if the host took more"
              + " than a tenth of that of the processors' time.")
  private double spread;

  @Override
  void measure(ScenarioLabs bench) throws LabException, IOException, InterruptedException {
    for (int i = 0; i < COLD; i++) {
      Calibration.now();
    }
    for (int round = 1; round <= rounds; round++) {
      say("round %d of %d".formatted(round, rounds));
      round(bench, round);
      if (!runs().isEmpty()) {
        write(); // so that an interrupted command leaves results
      }
    }
  }

  private void round(ScenarioLabs bench, int round) throws InterruptedException {
    Duration window = window(WINDOW_SECONDS);
    each(
        "prototype",
        round,
        () -> List.of(PipedPair.floodPrototype(bench, "prototype", seed(), window)));
    each("duplog", round, () -> List.of(duplog(bench, window)));
    NumberedLines lines = NumberedLines.structured(seed());
    for (Peer peer : Peer.values()) {
      if (peer.nodes() > 1) {
        each(peer.toString(), round, () -> List.of(peer(bench, peer, lines, window)));
      }
    }
    for (int nodes = 1; nodes <= 2; nodes++) {
      for (Map.Entry<String, LabPlan.Ingest> way : SyslogPair.WAYS.entrySet()) {
        SyslogPair pair = new SyslogPair(nodes, way.getValue(), CONNECTIONS);
        String name = (nodes == 1 ? "node, " : "pair, ") + way.getKey();
        each(name, round, () -> List.of(pair.flood(bench, name, lines, window)));
      }
    }
    NumberedLines events = NumberedLines.firewall(seed());
    each("load", round, () -> SyslogPair.DEPLOYED.steps(bench, events, LONG_WARM_UP, window));
    each("Redis", round, () -> RedisGrowth.healthy(window));
    each("Redis, one stream dead", round, () -> RedisGrowth.unmatched(List.of(DIGESTS)));
  }

  /**
   * Makes one lab's runs, if the command line asks for them; a failure does not end the command.
   */
  private void each(String name, int round, CalibratedRuns.Attempt<List<Run>> attempt)
      throws InterruptedException {
    if (!wants(name)) {
      return;
    }
    CalibratedRuns calibrated = new CalibratedRuns(Calibration::now, spread / PERCENT, this::say);
    try {
      for (Run run : calibrated.of(attempt)) {
        Run named = run.withVariant(Rounds.name(run.variant(), round));
        say("  " + named.summary());
        runs().add(named);
      }
    } catch (LabException | IOException | RuntimeException e) {
      failed(Rounds.name(name, round), e);
    }
  }

  private Run duplog(ScenarioLabs bench, Duration window)
      throws LabException, IOException, InterruptedException {
    Run run = DuplogCommand.SUSTAINED.flood(bench, "duplog", seed(), bench.warmUp(), window);
    Map<String, Long> resident = run.residentBytes();
    return run.withFigures(
        Map.of(
            "MB a bridge", resident.getOrDefault("bridge", 0L) / MEGABYTE,
            "MB a shim", resident.getOrDefault("shim", 0L) / MEGABYTE / 2));
  }

  private static Run peer(ScenarioLabs bench, Peer peer, NumberedLines lines, Duration window)
      throws LabException, IOException, InterruptedException {
    return bench.measure(
        (folder, jars) -> new PeerLab(folder, peer),
        lines,
        (lab, measurement) ->
            measurement.run(
                new Workload(
                    lines,
                    "",
                    new Flood(measurement::delivered, SyslogPair.UNDER_WAY),
                    Pipes.overTcp(lab.receivers(), CONNECTIONS)),
                peer.toString(),
                Map.of("nodes", Integer.toString(peer.nodes())),
                bench.warmUp(),
                window));
  }
}
