package io.duplog.benchmark.scenario;

import com.google.common.collect.ImmutableMap;
import io.duplog.benchmark.lab.Lab;
import io.duplog.benchmark.lab.LabJars;
import io.duplog.benchmark.lab.LabPlan;
import io.duplog.benchmark.load.Flood;
import io.duplog.benchmark.load.NumberedLines;
import io.duplog.benchmark.load.Pace;
import io.duplog.benchmark.load.SteppedRate;
import io.duplog.benchmark.load.Workload;
import io.duplog.benchmark.report.Run;
import io.duplog.rig.LabException;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BiFunction;

/**
 * What a site has: syslog by TCP into one rsyslog or two, and out into HEC. The scenarios differ in
 * what they send.
 *
 * @param nodes ingest nodes, 1 or 2, with a bridge beside each
 * @param confirmed whether rsyslog hears of each transaction that the broker has it
 * @param connections to each rsyslog
 */
record SyslogPair(int nodes, boolean confirmed, int connections) {

  /**
   * Less than what rsyslog's queue holds before it takes to its disk, which costs it twice as much.
   */
  static final long UNDER_WAY = 16_000;

  /** As deployed. */
  static final SyslogPair DEPLOYED = new SyslogPair(2, true, 1);

  /** As fast as all of it takes the messages. */
  Run flood(Bench bench, String variant, NumberedLines lines, Duration window)
      throws LabException, IOException, InterruptedException {
    return run(bench, variant, lines, SyslogPair::flood, window);
  }

  private static Flood flood(Lab lab, Measurement sink) {
    SlowestStream slowest = new SlowestStream(lab);
    return new Flood(() -> Math.min(slowest.getAsLong(), sink.delivered()), UNDER_WAY);
  }

  /**
   * At any pace, which begins with the warm-up.
   *
   * @param pace by what watches the sink
   */
  Run run(
      Bench bench,
      String variant,
      NumberedLines lines,
      BiFunction<Lab, Measurement, Pace> pace,
      Duration window)
      throws LabException, IOException, InterruptedException {
    return bench.measure(
        this::lab,
        lines,
        (lab, sink) ->
            sink.run(
                workload(lab, lines, pace.apply(lab, sink)),
                variant,
                facts(),
                bench.warmUp(),
                window));
  }

  private Workload workload(Lab lab, NumberedLines lines, Pace pace) throws IOException {
    return new Workload(lines, new byte[0], pace, Pipes.overTcp(ports(lab), connections));
  }

  /** Under one load after the other, in one lab. */
  List<Run> steps(Bench bench, NumberedLines lines, Duration window)
      throws LabException, IOException, InterruptedException {
    return bench.measure(
        this::lab,
        lines,
        (lab, measurement) -> {
          SteppedRate pace = new SteppedRate(flood(lab, measurement));
          try (Workload load = workload(lab, lines, pace)) {
            return new LoadSteps(lab, measurement, load, pace, window, new HashMap<>())
                .run(bench.warmUp(), facts());
          }
        });
  }

  private static List<Integer> ports(Lab lab) {
    return lab.nodes().stream().map(node -> node.rsyslog().port()).toList();
  }

  private Lab lab(Path folder, LabJars jars) throws LabException, InterruptedException {
    LabPlan plan = nodes == 1 ? LabPlan.single(folder, jars) : LabPlan.pair(folder, jars);
    return new Lab(
        plan.withIngest(confirmed ? LabPlan.Ingest.RSYSLOG : LabPlan.Ingest.RSYSLOG_UNCONFIRMED)
            .withSink(LabPlan.Sink.HEC));
  }

  private Map<String, String> facts() {
    return ImmutableMap.of(
        "ingest nodes",
        Integer.toString(nodes),
        "bridges",
        Integer.toString(nodes),
        "omprog",
        confirmed ? "confirmed" : "unconfirmed",
        "connections",
        connections + " TCP to each node",
        "sink",
        "HEC stand-in, not acknowledging");
  }
}
