package io.duplog.benchmark.scenario;

import io.duplog.benchmark.lab.Lab;
import io.duplog.benchmark.lab.LabJars;
import io.duplog.benchmark.lab.LabPlan;
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
import java.util.Map;

/** The prototype's programs in place of the shims and the bridge of {@link PipedPair}. */
final class PrototypePair {
  /**
   * Most messages allowed between senders and sink: a few seconds' worth, because the merger's
   * prefetch is unlimited and it holds them all.
   */
  private static final long UNDER_WAY = 20_000;

  /** Measures a load that is sent as fast as the prototype accepts it. */
  Run flood(ScenarioLabs bench, String variant, long seed, Duration window)
      throws LabException, IOException, InterruptedException {
    NumberedLines lines = NumberedLines.plain(seed);
    return bench.measure(
        PrototypePair::lab,
        lines,
        (lab, measurement) -> {
          Flood pace = new Flood(measurement::delivered, UNDER_WAY);
          Workload load = new Workload(lines, new byte[0], pace, Pipes.intoShims(lab));
          Map<String, String> facts = Map.of("streams", "2", "sink", "stdout");
          return measurement.run(load, variant, facts, bench.warmUp(), window);
        });
  }

  private static Lab lab(Path folder, LabJars jars) throws LabException {
    return new Lab(
        LabPlan.pair(folder, jars)
            .withIngest(LabPlan.Ingest.STDIN)
            .withSink(LabPlan.Sink.STDOUT)
            .withBridges(1)
            .withPrograms(PrototypePublisher.class, PrototypeMerger.class));
  }
}
