package io.duplog.benchmark.scenario;

import io.duplog.benchmark.load.NumberedLines;
import io.duplog.benchmark.load.Schedule;
import io.duplog.benchmark.measure.Latency;
import io.duplog.benchmark.report.Picture;
import io.duplog.benchmark.report.Run;
import io.duplog.benchmark.report.ScenarioReport;
import io.duplog.rig.LabException;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** How long a message takes from its sender to the sink, at several loads. */
@Command(
    name = "latency",
    description = {
      "End to end through a pair into HEC, events of 340 bytes: on an idle system, and at 10, 50"
          + " and 80 %% of what the machine sustains.",
    },
    mixinStandardHelpOptions = true,
    sortOptions = false)
public final class LatencyCommand extends ScenarioCommand {
  private static final int WINDOW_SECONDS = 15;
  private static final int IDLE_RATE = 10;
  private static final int[] PERCENT = {10, 50, 80};

  @Option(
      names = "--maximum",
      paramLabel = "N",
      description = "100 %% in messages a second (default: what a search before it finds).")
  private double maximum;

  @Override
  ScenarioReport measure(Bench bench) throws LabException, IOException, InterruptedException {
    SyslogPair pair = SyslogPair.deployed();
    NumberedLines lines = NumberedLines.firewall(seed());
    double all = maximum;
    if (all == 0) {
      all = sustainedRate(bench, pair, lines);
    }
    List<Run> runs = new ArrayList<>();
    at(runs, bench, pair, lines, "idle, %d/s".formatted(IDLE_RATE), IDLE_RATE);
    for (int percent : PERCENT) {
      double rate = all * percent / 100;
      String variant = "%d %%, %,.0f/s".formatted(percent, rate);
      at(runs, bench, pair, lines, variant, rate);
    }
    return new ScenarioReport(
        "latency",
        ("From the intended time of sending until the event stands in the HEC stand-in's file,"
                + " looked at once a millisecond; an open loop of 340-byte events through two rsyslogs"
                + " with confirming shims, two brokers, Redis and two bridges. 100 %% is the highest"
                + " rate found at which delivery keeps up with such a loop, %,.0f events/s; a load"
                + " that is held back when something falls behind would give more.")
            .formatted(all),
        runs,
        List.of(),
        List.of(),
        LatencyCommand::histograms);
  }

  private void at(
      List<Run> runs,
      Bench bench,
      SyslogPair pair,
      NumberedLines lines,
      String variant,
      double rate)
      throws LabException, IOException, InterruptedException {
    Duration window = window(WINDOW_SECONDS);
    Schedule schedule = Schedule.constant(rate, warmUp().atMost().plus(window));
    measure(
        runs,
        variant,
        () -> pair.run(bench, variant, lines, delivered -> schedule, warmUp(), window));
  }

  /** One of each run that was made now: an earlier report keeps no buckets. */
  private static List<Picture> histograms(List<Run> runs) {
    List<Picture> pictures = new ArrayList<>();
    for (Run run : runs) {
      Latency latency = run.latency();
      if (latency != null && !latency.buckets().isEmpty()) {
        String load = run.variant().replaceFirst("\\W.*", "");
        pictures.add(
            Picture.histogram(
                "latency-" + load,
                run.variant() + ": messages by their latency",
                latency.buckets()));
      }
    }
    return pictures;
  }
}
