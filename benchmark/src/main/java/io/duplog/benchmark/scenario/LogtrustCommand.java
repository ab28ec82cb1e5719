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

/** Runs Logtrust's published test, an open loop whose rate varies randomly between levels. */
@Command(
    name = "logtrust",
    description = {
      "Events of 340 bytes in an open loop: levels of 1 : 2 : 7 in seeded random order, the highest"
          + " with peaks at what the machine can just sustain, through a pair into HEC. Latency"
          + " from the intended time of sending to the sink.",
    })
public final class LogtrustCommand extends ScenarioCommand {
  private static final int WINDOW_SECONDS = 30;
  private static final Duration FLOOD = Duration.ofSeconds(6);
  private static final double GIGABYTES_A_DAY = 86_400 / 1e9;

  @Option(
      names = "--peak",
      paramLabel = "N",
      description = "Messages a second in a peak (default: 80 %% of what a flood before it gives).")
  private double peak;

  @Override
  void measure(ScenarioLabs bench) throws LabException, IOException, InterruptedException {
    NumberedLines lines = NumberedLines.firewall(seed());
    double highest = peak == 0 ? LoadSteps.OPEN_LOOP * flood(bench, lines) : peak;
    Duration window = window(WINDOW_SECONDS);
    Schedule schedule = new Schedule(highest, bench.warmUp().atMost().plus(window), seed());
    String variant = "levels 1:2:7, peaks of %,.0f/s".formatted(highest);
    measure(
        variant,
        () -> SyslogPair.DEPLOYED.run(bench, variant, lines, (lab, sink) -> schedule, window));
    for (Run run : runs()) {
      remark(
          "Delivered: %s GB a day."
              .formatted(Numbers.text(run.rate() * lines.length() * GIGABYTES_A_DAY)));
    }
  }

  private static double flood(ScenarioLabs bench, NumberedLines lines)
      throws LabException, IOException, InterruptedException {
    return SyslogPair.DEPLOYED.flood(bench, "flood", lines, FLOOD).rate();
  }
}
