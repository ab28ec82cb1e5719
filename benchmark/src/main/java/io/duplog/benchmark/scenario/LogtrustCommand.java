package io.duplog.benchmark.scenario;

import io.duplog.benchmark.load.NumberedLines;
import io.duplog.benchmark.load.Schedule;
import io.duplog.benchmark.report.Numbers;
import io.duplog.benchmark.report.Run;
import io.duplog.rig.LabException;
import java.io.IOException;
import java.time.Duration;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * The command {@code logtrust}: runs Logtrust's published benchmark on Duplog, in which the rate
 * varies at random.
 */
@Command(
    name = "logtrust",
    description = {
      "Sends events of 340 bytes in an open loop through a pair into HEC. The rate has levels of"
          + " 1 : 2 : 7 in seeded random order, and its peaks are the highest sustainable rate. Measures"
          + " the latency from the scheduled time of sending to the sink.",
    })
public final class LogtrustCommand extends ScenarioCommand {
  private static final int RUN_SECONDS = 30;
  private static final Duration FLOOD_DURATION = Duration.ofSeconds(6);
  private static final double GIGABYTES_PER_DAY = 86_400 / 1e9;

  @Option(
      names = "--peak",
      paramLabel = "N",
      description =
          "Messages per second in a peak (default: 80 %% of the rate of a preceding flood).")
  private double peakPerSecond;

  @Override
  void runScenario(ScenarioLabs labs) throws LabException, IOException, InterruptedException {
    NumberedLines lines = NumberedLines.firewall(seed());
    double highestRate =
        peakPerSecond == 0
            ? LoadSteps.FULL_RATE_FRACTION * measureFloodRate(labs, lines)
            : peakPerSecond;
    Duration window = runDuration(RUN_SECONDS);
    Schedule schedule = new Schedule(highestRate, labs.warmUp().maxDuration().plus(window), seed());
    String variant = "levels 1:2:7, peaks of %,.0f/s".formatted(highestRate);
    runIfSelected(
        variant,
        () -> SyslogPair.DEPLOYED_PAIR.run(labs, variant, lines, (lab, sink) -> schedule, window));
    for (Run run : runs()) {
      remark(
          "Delivered: %s GB a day."
              .formatted(Numbers.text(run.rate() * lines.length() * GIGABYTES_PER_DAY)));
    }
  }

  private static double measureFloodRate(ScenarioLabs labs, NumberedLines lines)
      throws LabException, IOException, InterruptedException {
    return SyslogPair.DEPLOYED_PAIR.flood(labs, "flood", lines, FLOOD_DURATION).rate();
  }
}
