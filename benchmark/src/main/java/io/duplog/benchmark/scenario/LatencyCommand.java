package io.duplog.benchmark.scenario;

import io.duplog.benchmark.load.NumberedLines;
import io.duplog.benchmark.load.Schedule;
import io.duplog.benchmark.report.Numbers;
import io.duplog.rig.LabException;
import java.io.IOException;
import java.time.Duration;
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
  void measure(Bench bench) throws LabException, IOException, InterruptedException {
    NumberedLines lines = NumberedLines.firewall(seed());
    double all = maximum == 0 ? SyslogPair.DEPLOYED.sustainedRate(bench, lines) : maximum;
    remark("100 %% is %s events/s here.".formatted(Numbers.text(all)));
    at(bench, lines, "idle, %d/s".formatted(IDLE_RATE), IDLE_RATE);
    for (int percent : PERCENT) {
      double rate = all * percent / 100;
      at(bench, lines, "%d %%, %,.0f/s".formatted(percent, rate), rate);
    }
  }

  private void at(Bench bench, NumberedLines lines, String variant, double rate)
      throws LabException, IOException, InterruptedException {
    Duration window = window(WINDOW_SECONDS);
    Schedule schedule = Schedule.constant(rate, bench.warmUp().atMost().plus(window));
    measure(variant, () -> SyslogPair.DEPLOYED.scheduled(bench, variant, lines, schedule, window));
  }
}
