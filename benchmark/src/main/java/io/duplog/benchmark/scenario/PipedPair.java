package io.duplog.benchmark.scenario;

import com.google.common.base.Joiner;
import com.google.common.collect.ImmutableMap;
import io.duplog.benchmark.lab.Lab;
import io.duplog.benchmark.lab.LabPlan;
import io.duplog.benchmark.lab.Tuning;
import io.duplog.benchmark.load.Flood;
import io.duplog.benchmark.load.NumberedLines;
import io.duplog.benchmark.load.Workload;
import io.duplog.rig.LabException;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

/**
 * Duplog without rsyslog and Splunk: from standard input into a shim for each stream, out of the
 * bridges' standard output.
 *
 * @param underWay how many messages may be between the senders and the sink, at most
 */
record PipedPair(int streams, int bridges, Tuning tuning, long underWay) {

  /** What is measured with it. */
  @FunctionalInterface
  interface Phases<R> {
    R of(Lab lab, Measurement measurement, Workload load)
        throws LabException, IOException, InterruptedException;
  }

  /** Sends it lines as fast as it takes them. */
  <R> R flooded(Bench bench, NumberedLines lines, Phases<R> phases)
      throws LabException, IOException, InterruptedException {
    List<String> names =
        IntStream.range(0, streams).mapToObj(i -> "syslog-" + (char) ('a' + i)).toList();
    return bench.measure(
        (folder, jars) ->
            new Lab(
                LabPlan.pair(folder, jars)
                    .withStreams(names)
                    .withIngest(LabPlan.Ingest.STDIN)
                    .withSink(LabPlan.Sink.STDOUT)
                    .withBridges(bridges)
                    .withTuning(tuning)),
        Messages.numbered(lines),
        (lab, measurement) -> {
          Flood pace = new Flood(measurement::delivered, underWay);
          return phases.of(
              lab, measurement, new Workload(lines, Pipes.sender(), pace, Pipes.intoShims(lab)));
        });
  }

  Map<String, String> facts() {
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
