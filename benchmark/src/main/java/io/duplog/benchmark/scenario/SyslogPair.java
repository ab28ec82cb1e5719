package io.duplog.benchmark.scenario;

import io.duplog.benchmark.lab.Lab;
import io.duplog.benchmark.lab.LabJars;
import io.duplog.benchmark.lab.LabPlan;
import io.duplog.benchmark.load.Flood;
import io.duplog.benchmark.load.NumberedLines;
import io.duplog.benchmark.load.Schedule;
import io.duplog.benchmark.load.SteppedRate;
import io.duplog.benchmark.load.Workload;
import io.duplog.benchmark.peer.Installation;
import io.duplog.benchmark.report.Run;
import io.duplog.rig.LabException;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
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

  SyslogPair withConnections(int number) {
    return new SyslogPair(nodes, confirmed, bridges, cores, number);
  }

  SyslogPair withCores(double limit) {
    return new SyslogPair(nodes, confirmed, bridges, limit, connections);
  }

  /** As fast as all of it takes the messages. */
  Run flood(Bench bench, String variant, NumberedLines lines, WarmUp warmUp, Duration window)
      throws LabException, IOException, InterruptedException {
    return bench.measure(
        (folder, jars) -> new Lab(plan(folder, jars)),
        Messages.numbered(lines),
        (lab, delivered) ->
            new Workload(
                lines,
                new byte[0],
                new Flood(delivered, UNDER_WAY),
                Pipes.overTcp(ports(lab), connections)),
        (lab, measurement, load) -> measurement.run(load, variant, facts(), warmUp, window));
  }

  /**
   * The highest rate that it sustains where the senders wait for nobody.
   *
   * @return messages a second
   * @throws LabException if there is none
   */
  double sustainedRate(Bench bench, NumberedLines lines, WarmUp warmUp, Progress progress)
      throws LabException, IOException, InterruptedException {
    LongSupplier[] arrived = {() -> 0}; // known once the lab is there
    SteppedRate pace = new SteppedRate(new Flood(() -> arrived[0].getAsLong(), UNDER_WAY));
    return bench.measure(
        (folder, jars) -> new Lab(plan(folder, jars)),
        Messages.numbered(lines),
        (lab, delivered) -> {
          arrived[0] = delivered;
          return new Workload(lines, new byte[0], pace, Pipes.overTcp(ports(lab), connections));
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
        LoggenLoad.messages(),
        (lab, delivered) -> new LoggenLoad(installation, ports(lab), warmUp.atMost().plus(window)),
        (lab, measurement, load) -> {
          Run run = measurement.run(load, variant, facts(), warmUp, window);
          told.accept(load.summary());
          return run;
        });
  }

  /** As a schedule has it, whose first part is the warm-up. */
  Run scheduled(
      Bench bench,
      String variant,
      NumberedLines lines,
      Schedule schedule,
      WarmUp warmUp,
      Duration window)
      throws LabException, IOException, InterruptedException {
    return bench.measure(
        (folder, jars) -> new Lab(plan(folder, jars)),
        Messages.numbered(lines),
        (lab, delivered) ->
            new Workload(lines, new byte[0], schedule, Pipes.overTcp(ports(lab), connections)),
        (lab, measurement, load) -> measurement.run(load, variant, facts(), warmUp, window));
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
    Map<String, String> facts = new LinkedHashMap<>();
    facts.put("ingest nodes", Integer.toString(nodes));
    facts.put("bridges", Integer.toString(bridges));
    facts.put("omprog", confirmed ? "confirmed" : "unconfirmed");
    facts.put("connections", Integer.toString(connections) + " TCP to each node");
    facts.put("sink", "HEC stand-in, not acknowledging");
    facts.put("cores", cores == 0 ? "all" : Double.toString(cores));
    return facts;
  }
}
