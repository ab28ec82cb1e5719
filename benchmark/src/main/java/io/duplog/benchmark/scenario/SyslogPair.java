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
 * Duplog as a site runs it: syslog over TCP into one or two rsyslogs, and out into HEC.
 *
 * @param nodes number of ingest nodes, 1 or 2, each with a bridge beside it
 * @param ingest how rsyslog hands over
 * @param connections number of TCP connections to each rsyslog
 */
record SyslogPair(int nodes, LabPlan.Ingest ingest, int connections) {

  /** The ways of handing over that are compared, by their names in tables. */
  static final ImmutableMap<String, LabPlan.Ingest> WAYS =
      ImmutableMap.of(
          "unconfirmed", LabPlan.Ingest.RSYSLOG_UNCONFIRMED,
          "confirmed", LabPlan.Ingest.RSYSLOG,
          "bulk", LabPlan.Ingest.RSYSLOG_BULK);

  /**
   * Most messages allowed between senders and sink: so few that rsyslog does not write its queue to
   * disk, which would double its cost.
   */
  static final long UNDER_WAY = 16_000;

  /** The usual deployment: two nodes, confirmed transactions and one connection to each node. */
  static final SyslogPair DEPLOYED = new SyslogPair(2, LabPlan.Ingest.RSYSLOG, 1);

  /** Measures a load that is sent as fast as Duplog accepts it. */
  Run flood(ScenarioLabs bench, String variant, NumberedLines lines, Duration window)
      throws LabException, IOException, InterruptedException {
    return run(bench, variant, lines, SyslogPair::flood, window);
  }

  private static Flood flood(Lab lab, Measurement sink) {
    return SlowestStream.flood(lab, sink, UNDER_WAY);
  }

  /**
   * Measures a load at a given pace, which begins with the warm-up.
   *
   * @param pace makes the pace from the lab and the measurement
   */
  Run run(
      ScenarioLabs bench,
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
    return new Workload(lines, "", pace, Pipes.overTcp(lab.receivers(), connections));
  }

  /** Measures one lab under each of the loads of {@link LoadSteps}. */
  List<Run> steps(ScenarioLabs bench, NumberedLines lines, WarmUp warmUp, Duration window)
      throws LabException, IOException, InterruptedException {
    return bench.measure(
        this::lab,
        lines,
        (lab, measurement) -> {
          SteppedRate pace = new SteppedRate(flood(lab, measurement));
          Workload load = workload(lab, lines, pace);
          return new LoadSteps(lab, measurement, load, pace, window, new HashMap<>())
              .run(warmUp, facts());
        });
  }

  private Lab lab(Path folder, LabJars jars) throws LabException, InterruptedException {
    LabPlan plan = nodes == 1 ? LabPlan.single(folder, jars) : LabPlan.pair(folder, jars);
    return new Lab(plan.withIngest(ingest).withSink(LabPlan.Sink.HEC));
  }

  private Map<String, String> facts() {
    Map<String, String> facts = new LinkedHashMap<>();
    facts.put("ingest nodes", Integer.toString(nodes));
    facts.put("bridges", Integer.toString(nodes));
    facts.put(
        ingest == LabPlan.Ingest.RSYSLOG_BULK ? "omelasticsearch" : "omprog",
        ingest == LabPlan.Ingest.RSYSLOG_UNCONFIRMED ? "unconfirmed" : "confirmed");
    facts.put("connections", connections + " TCP to each node");
    facts.put("sink", "HEC stand-in, not acknowledging");
    return facts;
  }
}
