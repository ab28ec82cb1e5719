package io.duplog.benchmark.scenario;

import com.google.common.base.Joiner;
import com.google.common.collect.ImmutableMap;
import io.duplog.benchmark.lab.Lab;
import io.duplog.benchmark.lab.LabJars;
import io.duplog.benchmark.lab.LabPlan;
import io.duplog.benchmark.lab.Tuning;
import io.duplog.benchmark.load.Flood;
import io.duplog.benchmark.load.NumberedLines;
import io.duplog.benchmark.load.Workload;
import io.duplog.benchmark.peer.PrototypeMerger;
import io.duplog.benchmark.peer.PrototypePublisher;
import io.duplog.benchmark.report.Run;
import io.duplog.rig.LabException;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

/**
 * Duplog, or the prototype, without rsyslog and Splunk: shims read standard input, and bridges
 * write to standard output.
 *
 * @param underWay most messages that may be between the senders and the sink
 */
record PipedPair(int streams, int bridges, Tuning tuning, long underWay) {
  /**
   * Most messages allowed between senders and sink with the prototype: a few seconds' worth,
   * because the merger's prefetch is unlimited and it holds them all.
   */
  private static final long UNDER_WAY_IN_PROTOTYPE = 20_000;

  /** Measures a load that is sent as fast as Duplog accepts it. */
  Run flood(ScenarioLabs bench, String variant, long seed, WarmUp warmUp, Duration window)
      throws LabException, IOException, InterruptedException {
    NumberedLines lines = NumberedLines.plain(seed);
    return bench.measure(
        this::lab,
        lines,
        (lab, measurement) ->
            measurement.run(load(lab, measurement, lines), variant, facts(), warmUp, window));
  }

  private Lab lab(Path folder, LabJars jars) throws LabException, InterruptedException {
    List<String> names =
        IntStream.range(0, streams).mapToObj(i -> "syslog-" + (char) ('a' + i)).toList();
    return new Lab(plan(folder, jars).withStreams(names).withBridges(bridges).withTuning(tuning));
  }

  private static LabPlan plan(Path folder, LabJars jars) {
    return LabPlan.pair(folder, jars)
        .withIngest(LabPlan.Ingest.STDIN)
        .withSink(LabPlan.Sink.STDOUT);
  }

  private Workload load(Lab lab, Measurement measurement, NumberedLines lines) throws LabException {
    Flood pace = SlowestStream.flood(lab, measurement, underWay);
    return new Workload(lines, Pipes.SENDER, pace, Pipes.intoShims(lab));
  }

  /**
   * Measures the prototype's programs in place of two shims and a bridge, with a load that is sent
   * as fast as they accept it.
   */
  static Run floodPrototype(ScenarioLabs bench, String variant, long seed, Duration window)
      throws LabException, IOException, InterruptedException {
    NumberedLines lines = NumberedLines.plain(seed);
    return bench.measure(
        (folder, jars) ->
            new Lab(
                plan(folder, jars)
                    .withBridges(1)
                    .withPrograms(PrototypePublisher.class, PrototypeMerger.class)),
        lines,
        (lab, measurement) -> {
          Flood pace = new Flood(measurement::delivered, UNDER_WAY_IN_PROTOTYPE);
          Workload load = new Workload(lines, "", pace, Pipes.intoShims(lab));
          Map<String, String> facts = Map.of("streams", "2", "sink", "stdout");
          return measurement.run(load, variant, facts, bench.warmUp(), window);
        });
  }

  private Map<String, String> facts() {
    return ImmutableMap.of(
        "streams", Integer.toString(streams),
        "bridges", Integer.toString(bridges),
        "queues", Integer.toString(tuning.queues()),
        "sink", "stdout",
        "shim", words(tuning.shim()),
        "bridge", words(tuning.bridge()));
  }

  private static String words(Map<String, String> settings) {
    return settings.isEmpty()
        ? "defaults"
        : Joiner.on(", ").withKeyValueSeparator('=').join(settings);
  }
}
