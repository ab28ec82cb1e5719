package io.duplog.benchmark.scenario;

import io.duplog.benchmark.lab.Tuning;
import io.duplog.benchmark.report.Run;
import io.duplog.rig.LabException;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import picocli.CommandLine.Command;

/**
 * The command {@code growth}: measures whether a message costs more as digests, bridges, streams,
 * queues or workers become more.
 */
@Command(
    name = "growth",
    description = {
      "Measures the cost of a copy as the work grows. Redis has 100,000 to 5,000,000 digests that no other"
          + " stream brings. There are 1 to 4 bridges, 2 to 8 streams, 1 to 8 queues per stream, and"
          + " 1 to 4 workers per bridge.",
    })
public final class GrowthCommand extends ScenarioCommand {
  private static final int RUN_SECONDS = 10;

  /**
   * Maximum number of messages between senders and sink. The number is smaller than in {@code
   * duplog}, because up to eight brokers hold copies of them.
   */
  private static final long MAX_IN_FLIGHT = 100_000;

  /** Default number of worker threads of a bridge. */
  private static final int DEFAULT_WORKERS = 2;

  @Override
  void runScenario(ScenarioLabs labs) throws LabException, IOException, InterruptedException {
    if (selectRun("one stream dead")) {
      runs().addAll(RedisGrowth.measureUnmatchedDigests(List.of(100_000, 1_000_000, 5_000_000)));
    }
    runCombination(labs, "2 streams, 1 bridge", 2, 1, 1, DEFAULT_WORKERS);
    runCombination(labs, "2 streams, 2 bridges", 2, 2, 1, DEFAULT_WORKERS);
    runCombination(labs, "2 streams, 4 bridges", 2, 4, 1, DEFAULT_WORKERS);
    runCombination(labs, "4 streams, 1 bridge", 4, 1, 1, DEFAULT_WORKERS);
    runCombination(labs, "8 streams, 1 bridge", 8, 1, 1, DEFAULT_WORKERS);
    runCombination(labs, "2 queues, 2 streams, 2 bridges", 2, 2, 2, DEFAULT_WORKERS);
    runCombination(labs, "4 queues, 2 streams, 2 bridges", 2, 2, 4, DEFAULT_WORKERS);
    runCombination(labs, "8 queues, 2 streams, 2 bridges", 2, 2, 8, DEFAULT_WORKERS);
    runCombination(labs, "1 worker, 2 streams, 2 bridges", 2, 2, 1, 1);
    runCombination(labs, "4 workers, 2 streams, 2 bridges", 2, 2, 1, 4);
  }

  /**
   * Measures one combination.
   *
   * @param queues number of queues of each stream. The bridges share them if there are enough.
   * @param workers number of workers of each bridge
   */
  private void runCombination(
      ScenarioLabs labs, String variant, int streams, int bridges, int queues, int workers)
      throws LabException, IOException, InterruptedException {
    Tuning tuning =
        Tuning.NONE.withQueues(queues).withBridge("receive.workers", Integer.toString(workers));
    PipedPair pair = new PipedPair(streams, bridges, tuning, MAX_IN_FLIGHT);
    runIfSelected(
        variant,
        () -> {
          Run run = pair.flood(labs, variant, seed(), labs.warmUp(), runDuration(RUN_SECONDS));
          Map<String, Double> bridgeAndRedisMicros = run.cpuMicros();
          Map<String, Double> figures = new LinkedHashMap<>();
          figures.put("µs a copy, all but generator", run.cpuMicrosWithoutGenerator() / streams);
          figures.put(
              "bridge µs a copy", bridgeAndRedisMicros.getOrDefault("bridge", 0.0) / streams);
          figures.put(
              RedisGrowth.MICROS_PER_COPY_FIGURE,
              bridgeAndRedisMicros.getOrDefault("redis", 0.0) / streams);
          return run.withFigures(figures);
        });
  }
}
