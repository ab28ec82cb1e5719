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
import io.duplog.benchmark.report.Run;
import io.duplog.rig.LabException;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.stream.IntStream;

/**
 * Duplog without rsyslog and Splunk: shims read standard input, and bridges write to standard
 * output.
 *
 * @param underWay most messages that may be between the senders and the sink
 */
record PipedPair(int streams, int bridges, Tuning tuning, long underWay) {

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
    return new Lab(
        LabPlan.pair(folder, jars)
            .withStreams(
                IntStream.range(0, streams).mapToObj(i -> "syslog-" + (char) ('a' + i)).toList())
            .withIngest(LabPlan.Ingest.STDIN)
            .withSink(LabPlan.Sink.STDOUT)
            .withBridges(bridges)
            .withTuning(tuning));
  }

  private Workload load(Lab lab, Measurement measurement, NumberedLines lines) throws LabException {
    SlowestStream slowest = new SlowestStream(lab);
    Flood pace = new Flood(() -> Math.min(slowest.getAsLong(), measurement.delivered()), underWay);
    return new Workload(lines, Pipes.sender(), pace, Pipes.intoShims(lab));
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
