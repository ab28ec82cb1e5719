package io.duplog.benchmark.scenario;

import io.duplog.benchmark.load.NumberedLines;
import io.duplog.benchmark.load.Schedule;
import io.duplog.benchmark.report.Run;
import io.duplog.benchmark.report.ScenarioReport;
import io.duplog.benchmark.report.ScenarioReport.Published;
import io.duplog.rig.LabException;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** An open loop of modelled variability, as in Logtrust's published test. */
@Command(
    name = "logtrust",
    description = {
      "Events of 340 bytes in an open loop: levels of 1 : 2 : 7 in seeded random order, the highest"
          + " with peaks at what the machine can just sustain, through a pair into HEC. Latency"
          + " from the intended time of sending to the sink.",
    },
    mixinStandardHelpOptions = true,
    sortOptions = false)
public final class LogtrustCommand extends ScenarioCommand {
  private static final int WINDOW_SECONDS = 30;
  private static final double HOUR_SECONDS = 3600;
  private static final double DAY_HOURS = 24;
  private static final double GIGABYTE = 1e9;

  @Option(
      names = "--peak",
      paramLabel = "N",
      description = "Messages a second in a peak (default: what a search before it finds).")
  private double peak;

  @Override
  ScenarioReport measure(Bench bench) throws LabException, IOException, InterruptedException {
    SyslogPair pair = SyslogPair.deployed();
    NumberedLines lines = NumberedLines.firewall(seed());
    double highest = peak == 0 ? sustainedRate(bench, pair, lines) : peak;
    Duration window = window(WINDOW_SECONDS);
    Duration whole = warmUp().atMost().plus(window);
    String variant = "levels 1:2:7, peaks of %,.0f/s".formatted(highest);
    say(variant);
    Run run =
        pair.run(
            bench,
            variant,
            lines,
            delivered -> Schedule.levels(highest, whole, seed()),
            warmUp(),
            window);
    double hour = run.rate() * HOUR_SECONDS;
    return new ScenarioReport(
        "logtrust",
        "An open loop: each event has a time at which it is to leave, whatever became of those"
            + " before it. Half a second each of three levels, 1 : 2 : 7, in seeded random order;"
            + " of the highest, every fifth tenth of a second is a peak (10) at what the machine"
            + " just sustains in an open loop, by a search before it. Latency from the intended"
            + " time of sending until the event stands in the HEC stand-in's file.",
        List.of(run),
        List.of(
            new Published("latency on average", "133.66 ms"),
            new Published("p75", "165.25 ms"),
            new Published("p95", "343.65 ms"),
            new Published("maximum", "2 s")),
        List.of(
            "Delivered: %,.0f events an hour, %,.1f GB an hour, %,.0f GB a day."
                .formatted(
                    hour,
                    hour * lines.length() / GIGABYTE,
                    hour * DAY_HOURS * lines.length() / GIGABYTE),
            "The published figures were measured on other hardware and with other software between"
                + " sender and index; only their shape, the tail against the average, compares."),
        ScenarioReport.Gallery.EMPTY);
  }
}
