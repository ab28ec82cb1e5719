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
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BiFunction;

/**
 * Measures Duplog as a site runs it, with Splunk's HEC as the sink. The input is syslog over TCP
 * into one or two rsyslogs, or events by HTTP Event Collector into one or two shims.
 *
 * @param nodes number of ingest nodes, 1 or 2, each with its own bridge
 * @param ingest how messages reach the shim
 * @param connections number of TCP connections to each node
 * @param sink where the bridges deliver; the collector is measured, and an archive is beside it
 */
record SyslogPair(int nodes, LabPlan.Ingest ingest, int connections, LabPlan.Sink sink) {

  /** The compared ways of handing messages over, by their names in tables. */
  static final ImmutableMap<String, LabPlan.Ingest> INGEST_BY_NAME =
      ImmutableMap.of(
          "unconfirmed", LabPlan.Ingest.RSYSLOG_UNCONFIRMED,
          "confirmed", LabPlan.Ingest.RSYSLOG,
          "bulk", LabPlan.Ingest.RSYSLOG_BULK,
          "HEC in", LabPlan.Ingest.HEC);

  /**
   * Maximum number of messages between senders and sink. With more, rsyslog would write its queue
   * to disk, which would double its cost.
   */
  static final long MAX_IN_FLIGHT = 16_000;

  /** Maximum number of events in a request, if clients of HTTP Event Collector send. */
  private static final int EVENTS_PER_REQUEST = 100;

  /** The usual deployment: two nodes, confirmed transactions and one connection to each node. */
  static final SyslogPair DEPLOYED_PAIR = new SyslogPair(2, LabPlan.Ingest.RSYSLOG, 1);

  /** Creates a pair, or a single node, whose only sink is the collector. */
  SyslogPair(int nodes, LabPlan.Ingest ingest, int connections) {
    this(nodes, ingest, connections, LabPlan.Sink.HEC);
  }

  /** Measures a load that is sent as fast as Duplog accepts it. */
  Run flood(ScenarioLabs labs, String variant, NumberedLines lines, Duration window)
      throws LabException, IOException, InterruptedException {
    return run(labs, variant, lines, SyslogPair::newFlood, window);
  }

  private static Flood newFlood(Lab lab, Measurement sink) {
    return SlowestStream.newFlood(lab, sink, MAX_IN_FLIGHT);
  }

  /**
   * Measures a load at a given pace, which begins with the warm-up.
   *
   * @param pace creates the pace from the lab and the measurement
   */
  Run run(
      ScenarioLabs labs,
      String variant,
      NumberedLines lines,
      BiFunction<Lab, Measurement, Pace> pace,
      Duration window)
      throws LabException, IOException, InterruptedException {
    return labs.measure(
        this::newLab,
        lines,
        (lab, sink) ->
            sink.run(
                workload(lab, lines, pace.apply(lab, sink)),
                variant,
                facts(),
                labs.warmUp(),
                window));
  }

  private Workload workload(Lab lab, NumberedLines lines, Pace pace) throws IOException {
    return new Workload(
        lines,
        "",
        pace,
        ingest == LabPlan.Ingest.HEC
            ? Pipes.openHecClients(lab, connections, EVENTS_PER_REQUEST)
            : Pipes.openTcpConnections(lab.receivers(), connections));
  }

  /** Measures one lab under each of the loads of {@link LoadSteps}. */
  List<Run> measureLoadSteps(ScenarioLabs labs, NumberedLines lines, WarmUp warmUp, Duration window)
      throws LabException, IOException, InterruptedException {
    return labs.measure(
        this::newLab,
        lines,
        (lab, measurement) -> {
          SteppedRate pace = new SteppedRate(newFlood(lab, measurement));
          Workload load = workload(lab, lines, pace);
          return new LoadSteps(lab, measurement, load, pace, window, new HashMap<>())
              .run(warmUp, facts());
        });
  }

  private Lab newLab(Path folder, LabJars jars) throws LabException, InterruptedException {
    LabPlan plan = nodes == 1 ? LabPlan.single(folder, jars) : LabPlan.pair(folder, jars);
    return new Lab(plan.withIngest(ingest).withSink(sink));
  }

  private Map<String, String> facts() {
    Map<String, String> facts = new LinkedHashMap<>();
    facts.put("ingest nodes", Integer.toString(nodes));
    facts.put("bridges", Integer.toString(nodes));
    switch (ingest) {
      case HEC ->
          facts.put("HEC in", "requests of at most %d events".formatted(EVENTS_PER_REQUEST));
      case RSYSLOG_BULK -> facts.put("omelasticsearch", "confirmed");
      case RSYSLOG_UNCONFIRMED -> facts.put("omprog", "unconfirmed");
      case RSYSLOG, RSYSLOG_LINES, STDIN -> facts.put("omprog", "confirmed");
    }
    facts.put("connections", connections + " TCP to each node");
    facts.put(
        "sink",
        "HEC stand-in, not acknowledging"
            + (sink == LabPlan.Sink.HEC_AND_ARCHIVE ? "; an archive (zstd)" : ""));
    return facts;
  }
}
