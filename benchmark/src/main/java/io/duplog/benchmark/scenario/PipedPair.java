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
 * Measures Duplog, or its prototype, by itself: shims read standard input and bridges write to
 * standard output, without rsyslog and Splunk.
 *
 * @param maxInFlight maximum number of messages between the senders and the sink
 */
record PipedPair(int streams, int bridges, Tuning tuning, long maxInFlight) {
  /**
   * Maximum number of messages between senders and sink with the prototype: a few seconds' worth.
   * The merger's prefetch is unlimited, so the merger holds them all.
   */
  private static final long PROTOTYPE_MAX_IN_FLIGHT = 20_000;

  /** Measures a load that is sent as fast as Duplog accepts it. */
  Run flood(ScenarioLabs labs, String variant, long seed, WarmUp warmUp, Duration window)
      throws LabException, IOException, InterruptedException {
    NumberedLines lines = NumberedLines.plain(seed);
    return labs.measure(
        this::newLab,
        lines,
        (startedLab, measurement) ->
            measurement.run(
                load(startedLab, measurement, lines), variant, facts(), warmUp, window));
  }

  private Lab newLab(Path folder, LabJars jars) throws LabException, InterruptedException {
    List<String> names =
        IntStream.range(0, streams).mapToObj(i -> "syslog-" + (char) ('a' + i)).toList();
    return new Lab(plan(folder, jars).withStreams(names).withBridges(bridges).withTuning(tuning));
  }

  private static LabPlan plan(Path folder, LabJars jars) {
    return LabPlan.pair(folder, jars)
        .withIngest(LabPlan.Ingest.STDIN)
        .withSink(LabPlan.Sink.STDOUT);
  }

  private Workload load(Lab newLab, Measurement measurement, NumberedLines lines)
      throws LabException {
    Flood pace = SlowestStream.newFlood(newLab, measurement, maxInFlight);
    return new Workload(lines, Pipes.SENDER_PREFIX, pace, Pipes.openShimInputs(newLab));
  }

  /**
   * Measures the prototype's programs instead of two shims and a bridge. The load is sent as fast
   * as they accept it.
   */
  static Run floodPrototype(ScenarioLabs labs, String variant, long seed, Duration window)
      throws LabException, IOException, InterruptedException {
    NumberedLines lines = NumberedLines.plain(seed);
    return labs.measure(
        (folder, jars) ->
            new Lab(
                plan(folder, jars)
                    .withBridges(1)
                    .withPrograms(PrototypePublisher.class, PrototypeMerger.class)),
        lines,
        (newLab, measurement) -> {
          Flood pace = new Flood(measurement::delivered, PROTOTYPE_MAX_IN_FLIGHT);
          Workload load = new Workload(lines, "", pace, Pipes.openShimInputs(newLab));
          Map<String, String> facts = Map.of("streams", "2", "sink", "stdout");
          return measurement.run(load, variant, facts, labs.warmUp(), window);
        });
  }

  private Map<String, String> facts() {
    return ImmutableMap.of(
        "streams", Integer.toString(streams),
        "bridges", Integer.toString(bridges),
        "queues", Integer.toString(tuning.queues()),
        "sink", "stdout",
        "shim", settingsText(tuning.shim()),
        "bridge", settingsText(tuning.bridge()));
  }

  private static String settingsText(Map<String, String> settings) {
    return settings.isEmpty()
        ? "defaults"
        : Joiner.on(", ").withKeyValueSeparator('=').join(settings);
  }
}
