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
import io.duplog.benchmark.peer.Installation;
import io.duplog.benchmark.peer.Loggen;
import io.duplog.benchmark.peer.LoggenArrivals;
import io.duplog.benchmark.report.Run;
import io.duplog.rig.LabException;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.LongSupplier;

/**
 * What a site has: syslog by TCP into one rsyslog or two, and out into HEC. The scenarios differ in
 * what they send.
 *
 * @param nodes ingest nodes, 1 or 2
 * @param confirmed whether rsyslog hears of each transaction that the broker has it
 * @param bridges how many of them share the work
 * @param cores what all servers together get of the processors; 0 for no limit
 * @param connections to each rsyslog
 */
record SyslogPair(int nodes, boolean confirmed, int bridges, double cores, int connections) {

  /** Less than half of what rsyslog's queue holds before it takes to its disk. */
  static final long UNDER_WAY = 40_000;

  /** Two nodes and a bridge beside each, as deployed. */
  static SyslogPair deployed() {
    return new SyslogPair(2, true, 2, 0, 1);
  }

  /** As fast as all of it takes the messages. */
  Run flood(Bench bench, String variant, NumberedLines lines, WarmUp warmUp, Duration window)
      throws LabException, IOException, InterruptedException {
    return run(bench, variant, lines, delivered -> new Flood(delivered, UNDER_WAY), warmUp, window);
  }

  /**
   * At a pace, whose first part is the warm-up.
   *
   * @param pace made once it is known what has arrived
   */
  Run run(
      Bench bench,
      String variant,
      NumberedLines lines,
      Function<LongSupplier, Pace> pace,
      WarmUp warmUp,
      Duration window)
      throws LabException, IOException, InterruptedException {
    return bench.measure(
        (folder, jars) -> new Lab(plan(folder, jars)),
        Messages.numbered(lines),
        (lab, delivered) -> workload(lab, lines, pace.apply(delivered)),
        (lab, measurement, load) -> measurement.run(load, variant, facts(), warmUp, window));
  }

  private Workload workload(Lab lab, NumberedLines lines, Pace pace) throws IOException {
    return new Workload(lines, new byte[0], pace, Pipes.overTcp(ports(lab), connections));
  }

  /**
   * The highest rate that it sustains where the senders wait for nobody.
   *
   * @return messages a second
   * @throws LabException if there is none
   */
  double sustainedRate(Bench bench, NumberedLines lines, WarmUp warmUp, Consumer<String> progress)
      throws LabException, IOException, InterruptedException {
    LongSupplier[] arrived = {() -> 0}; // known once the lab is there
    SteppedRate pace = new SteppedRate(new Flood(() -> arrived[0].getAsLong(), UNDER_WAY));
    return bench.measure(
        (folder, jars) -> new Lab(plan(folder, jars)),
        Messages.numbered(lines),
        (lab, delivered) -> {
          arrived[0] = delivered;
          return workload(lab, lines, pace);
        },
        (lab, measurement, load) ->
            new OpenLoopSearch(measurement, load, pace, progress).run(warmUp));
  }

  /**
   * As fast as loggen can.
   *
   * @param warmUp as long as is said beforehand: loggen's time is fixed
   * @param told gets the line that loggen ends with
   */
  Run loggen(
      Bench bench,
      String variant,
      Installation installation,
      WarmUp warmUp,
      Duration window,
      Consumer<String> told)
      throws LabException, IOException, InterruptedException {
    return bench.measure(
        (folder, jars) -> new Lab(plan(folder, jars)),
        new Messages(
            Loggen.SIZE - 1,
            new LoggenArrivals(Loggen.SIZE),
            Map.of("message", Loggen.SIZE + " bytes with the end of its line, by loggen")),
        (lab, delivered) ->
            new Loggen(installation, ports(lab), Loggen.UNBOUNDED, warmUp.atMost().plus(window)),
        (lab, measurement, load) -> {
          Run run = measurement.run(load, variant, facts(), warmUp, window);
          told.accept(load.summary());
          return run;
        });
  }

  private static List<Integer> ports(Lab lab) {
    return lab.nodes().stream().map(node -> node.rsyslog().port()).toList();
  }

  private LabPlan plan(Path folder, LabJars jars) {
    LabPlan plan = nodes == 1 ? LabPlan.single(folder, jars) : LabPlan.pair(folder, jars);
    return plan.withIngest(confirmed ? LabPlan.Ingest.RSYSLOG : LabPlan.Ingest.RSYSLOG_UNCONFIRMED)
        .withSink(LabPlan.Sink.HEC)
        .withBridges(bridges)
        .withCores(cores);
  }

  private Map<String, String> facts() {
    return ImmutableMap.of(
        "ingest nodes",
        Integer.toString(nodes),
        "bridges",
        Integer.toString(bridges),
        "omprog",
        confirmed ? "confirmed" : "unconfirmed",
        "connections",
        connections + " TCP to each node",
        "sink",
        "HEC stand-in, not acknowledging",
        "cores",
        cores == 0 ? "all" : Double.toString(cores));
  }
}
