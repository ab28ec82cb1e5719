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
 * Measures whether the cost of a copy stays constant as digests, bridges, streams, queues and
 * workers grow in number.
 */
@Command(
    name = "growth",
    description = {
      "What a copy costs as the work grows: Redis with 100,000 to 5,000,000 digests that no other"
          + " stream brings; 1, 2 and 4 bridges; 2, 4 and 8 streams; 1, 2, 4 and 8 queues a stream;"
          + " 1, 2 and 4 workers a bridge.",
    })
public final class GrowthCommand extends ScenarioCommand {
  private static final int WINDOW_SECONDS = 10;

  /**
   * Most messages allowed between senders and sink: fewer than in {@code duplog}, because up to
   * eight brokers hold copies of them.
   */
  private static final long UNDER_WAY = 100_000;

  /** Number of worker threads of a bridge by default. */
  private static final int WORKERS = 2;

  @Override
  void measure(ScenarioLabs bench) throws LabException, IOException, InterruptedException {
    if (wants("one stream dead")) {
      runs().addAll(RedisGrowth.unmatched(List.of(100_000, 1_000_000, 5_000_000)));
    }
    measure(bench, "2 streams, 1 bridge", 2, 1, 1, WORKERS);
    measure(bench, "2 streams, 2 bridges", 2, 2, 1, WORKERS);
    measure(bench, "2 streams, 4 bridges", 2, 4, 1, WORKERS);
    measure(bench, "4 streams, 1 bridge", 4, 1, 1, WORKERS);
    measure(bench, "8 streams, 1 bridge", 8, 1, 1, WORKERS);
    measure(bench, "2 queues, 2 streams, 2 bridges", 2, 2, 2, WORKERS);
    measure(bench, "4 queues, 2 streams, 2 bridges", 2, 2, 4, WORKERS);
    measure(bench, "8 queues, 2 streams, 2 bridges", 2, 2, 8, WORKERS);
    measure(bench, "1 worker, 2 streams, 2 bridges", 2, 2, 1, 1);
    measure(bench, "4 workers, 2 streams, 2 bridges", 2, 2, 1, 4);
  }

  /**
   * Measures one combination.
   *
   * @param queues number of queues of each stream, shared out among the bridges if there are enough
   * @param workers number of workers of each bridge
   */
  private void measure(
      ScenarioLabs bench, String variant, int streams, int bridges, int queues, int workers)
      throws LabException, IOException, InterruptedException {
    Tuning tuning =
        Tuning.NONE.withQueues(queues).withBridge("receive.workers", Integer.toString(workers));
    PipedPair pair = new PipedPair(streams, bridges, tuning, UNDER_WAY);
    measure(
        variant,
        () -> {
          Run run = pair.flood(bench, variant, seed(), bench.warmUp(), window(WINDOW_SECONDS));
          Map<String, Double> micros = run.cpuMicros();
          Map<String, Double> figures = new LinkedHashMap<>();
          figures.put("µs a copy, all but generator", run.cpuMicrosWithoutGenerator() / streams);
          figures.put("bridge µs a copy", micros.getOrDefault("bridge", 0.0) / streams);
          figures.put(RedisGrowth.REDIS_A_COPY, micros.getOrDefault("redis", 0.0) / streams);
          return run.withFigures(figures);
        });
  }
}
