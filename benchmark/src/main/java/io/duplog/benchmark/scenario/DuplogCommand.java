package io.duplog.benchmark.scenario;

import com.google.common.base.Joiner;
import com.google.common.collect.ImmutableMap;
import io.duplog.benchmark.lab.BridgeProcess;
import io.duplog.benchmark.lab.Lab;
import io.duplog.benchmark.lab.LabPlan;
import io.duplog.benchmark.lab.Tuning;
import io.duplog.benchmark.load.Flood;
import io.duplog.benchmark.load.NumberedLines;
import io.duplog.benchmark.load.Workload;
import io.duplog.benchmark.report.Run;
import io.duplog.benchmark.report.ScenarioReport;
import io.duplog.benchmark.report.ScenarioReport.Published;
import io.duplog.rig.LabException;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * The prototype's own test: pairs of equal messages as fast as possible from standard input into
 * two shims, through two brokers, out of one bridge.
 */
@Command(
    name = "duplog",
    description = {
      "Pairs of equal messages of 110 bytes, as fast as they are taken, from standard input into"
          + " two shims, through two brokers and Redis, to a bridge's standard output. And what one"
          + " bare rsyslog takes by UDP without a loss.",
      "With --matrix: prefetch 1, 100 and unlimited, an acknowledgement for each, every 50 and"
          + " every second, durable or not, one message a delivery and batches."
    },
    mixinStandardHelpOptions = true,
    sortOptions = false)
public final class DuplogCommand extends ScenarioCommand {
  private static final int WINDOW_SECONDS = 15;
  private static final int MATRIX_SECONDS = 3;
  private static final Duration MATRIX_WARM_UP = Duration.ofSeconds(5);
  private static final int BURST_SECONDS = 5;
  private static final int UDP_SECONDS = 5;

  /** More than all buffers of a second, and less than what fills a broker's memory. */
  private static final long UNDER_WAY = 300_000;

  @Option(names = "--matrix", description = "Also all combinations of the original's settings.")
  private boolean matrix;

  /** What the original varied. */
  private record Setting(boolean batches, boolean durable, int prefetch, Acknowledge acknowledge) {
    String name() {
      return "%s, %s, prefetch %s, acknowledge %s"
          .formatted(
              batches ? "batches" : "single",
              durable ? "durable" : "transient",
              prefetch == Tuning.UNLIMITED_PREFETCH ? "unlimited" : prefetch,
              acknowledge.text);
    }

    Tuning tuning() {
      Tuning tuning =
          Tuning.NONE
              .withShim("broker.persistent", Boolean.toString(durable))
              .withBridge("receive.prefetch", Integer.toString(prefetch));
      Tuning grouped = batches ? tuning : tuning.withShim("batch.max-messages", "1");
      return switch (acknowledge) {
        case EACH -> grouped.withBridge("settle.acknowledge", "each");
        case EVERY_50 ->
            grouped
                .withBridge("settle.acknowledge", "count")
                .withBridge("settle.acknowledge-count", "50");
        case EVERY_SECOND ->
            grouped
                .withBridge("settle.acknowledge", "interval")
                .withBridge("settle.acknowledge-interval", "1000ms");
      };
    }

    /** With one unacknowledged delivery, waiting for more is waiting for the clock. */
    boolean isArithmetic() {
      return prefetch == 1 && acknowledge != Acknowledge.EACH;
    }

    /** A queue of single messages takes long to empty. */
    long underWay() {
      return batches ? UNDER_WAY : UNDER_WAY / 30;
    }
  }

  private enum Acknowledge {
    EACH("each"),
    EVERY_50("every 50"),
    EVERY_SECOND("every second");

    private final String text;

    Acknowledge(String text) {
      this.text = text;
    }
  }

  @Override
  ScenarioReport measure(Bench bench) throws LabException, IOException, InterruptedException {
    List<Run> runs = new ArrayList<>();
    measure(
        runs,
        "sustained",
        () -> measured(bench, "sustained", Tuning.NONE, warmUp(), WINDOW_SECONDS, UNDER_WAY));
    measure(runs, "burst", () -> burst(bench));
    List<String> remarks = new ArrayList<>();
    if (wants(UdpIntoRsyslog.VARIANT)) {
      say(UdpIntoRsyslog.VARIANT);
      new UdpIntoRsyslog(bench, NumberedLines.plain(seed()), window(UDP_SECONDS), this::say)
          .measure(runs, remarks);
    }
    remarks.add(
        matrix
            ? "All combinations of the original's settings, each for a few seconds after as few of"
                + " warm-up: what they show is what a setting does, not what is reached in the end."
            : "The original's combinations of settings (`--matrix`) were not measured here.");
    remarks.add(
        "The published figures are of 2013 and of other hardware: the ratio to them is no measure"
            + " of the software alone.");
    remarks.add(
        "Prefetch 1 with an acknowledgement every 50 deliveries or every second is left out: there"
            + " the rate is one delivery for each interval of the clock, whatever the software"
            + " does.");
    remarks.add(
        "Burst: the processors' time is that of all of it, from the first message on, with the"
            + " start of the bridge; the rate is the bridge's.");
    if (matrix) {
      for (Setting setting : matrix()) {
        if (!setting.isArithmetic()) {
          measure(
              runs,
              setting.name(),
              () ->
                  measured(
                      bench,
                      setting.name(),
                      setting.tuning(),
                      WarmUp.upTo(MATRIX_WARM_UP),
                      MATRIX_SECONDS,
                      setting.underWay()));
        }
      }
    }
    return new ScenarioReport(
        "duplog",
        "Pairs of equal messages, as fast as they are taken, from standard input into two shims,"
            + " through two RabbitMQ nodes and Redis, to a bridge's standard output, all on this"
            + " machine. Sustained: at most "
            + UNDER_WAY
            + " messages are under way. Burst: the bridge works off what came in while it was not"
            + " there, from its start on.",
        runs,
        List.of(
            new Published("the prototype at first", "750 messages/s"),
            new Published("the prototype at last, sustained", "6,000 messages/s"),
            new Published("the prototype at last, in bursts", "10,000 messages/s"),
            new Published("UDP into bare rsyslog", "25,000 messages/s")),
        remarks,
        ScenarioReport.Gallery.EMPTY);
  }

  private static List<Setting> matrix() {
    List<Setting> settings = new ArrayList<>();
    for (boolean batches : new boolean[] {false, true}) {
      for (boolean durable : new boolean[] {true, false}) {
        for (int prefetch : new int[] {1, 100, Tuning.UNLIMITED_PREFETCH}) {
          for (Acknowledge acknowledge : Acknowledge.values()) {
            settings.add(new Setting(batches, durable, prefetch, acknowledge));
          }
        }
      }
    }
    return settings;
  }

  private Run measured(
      Bench bench, String variant, Tuning tuning, WarmUp warmUp, int seconds, long underWay)
      throws LabException, IOException, InterruptedException {
    return flooded(
        bench,
        tuning,
        underWay,
        (lab, measurement, load) ->
            measurement.run(load, variant, facts(tuning), warmUp, window(seconds)));
  }

  private Run burst(Bench bench) throws LabException, IOException, InterruptedException {
    return flooded(
        bench,
        Tuning.NONE,
        Long.MAX_VALUE,
        (lab, measurement, load) ->
            measurement.burst(
                load,
                lab.bridges().stream().map(BridgeProcess::server).toList(),
                "burst",
                facts(Tuning.NONE),
                Duration.ofSeconds(BURST_SECONDS)));
  }

  private Run flooded(
      Bench bench, Tuning tuning, long underWay, Bench.Phases<Lab, Workload, Run> phases)
      throws LabException, IOException, InterruptedException {
    NumberedLines lines = NumberedLines.plain(seed());
    return bench.measure(
        (folder, jars) -> new Lab(plan(LabPlan.pair(folder, jars), tuning)),
        Messages.numbered(lines),
        (lab, delivered) ->
            new Workload(
                lines, Pipes.sender(), new Flood(delivered, underWay), Pipes.intoShims(lab)),
        phases);
  }

  private static LabPlan plan(LabPlan pair, Tuning tuning) {
    return pair.withIngest(LabPlan.Ingest.STDIN)
        .withSink(LabPlan.Sink.STDOUT)
        .withBridges(1)
        .withTuning(tuning);
  }

  private static Map<String, String> facts(Tuning tuning) {
    return ImmutableMap.of(
        "ingest nodes", "2",
        "bridges", "1",
        "sink", "stdout",
        "shim", or(tuning.shim()),
        "bridge", or(tuning.bridge()));
  }

  private static String or(Map<String, String> settings) {
    return settings.isEmpty()
        ? "defaults"
        : Joiner.on(", ").withKeyValueSeparator('=').join(settings);
  }
}
