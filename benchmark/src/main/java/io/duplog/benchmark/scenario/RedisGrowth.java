package io.duplog.benchmark.scenario;

import com.google.common.base.Splitter;
import com.google.common.collect.ImmutableMap;
import io.duplog.benchmark.lab.ChildProcess;
import io.duplog.benchmark.measure.Reconciliation;
import io.duplog.benchmark.part.LedgerLoad;
import io.duplog.benchmark.part.LoneRedis;
import io.duplog.benchmark.report.Run;
import io.duplog.rig.LabException;
import io.duplog.rig.RedisProcess;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Measures the memory and the processor time that Redis alone needs: for a growing number of
 * digests that only one stream brings, and for a healthy pair. The ledger is driven without
 * brokers, bridge and sink, as fast as one connection answers. Used by one thread.
 */
final class RedisGrowth {
  static final String BYTES_A_DIGEST = "bytes a digest";
  static final String REDIS_A_COPY = "Redis µs a copy";
  private static final String MEGABYTES = "Redis MB";

  /** Deduplication window, the default of {@code dedup.window}. */
  private static final Duration WINDOW = Duration.ofMinutes(10);

  private static final int RATE = 40_000;
  private static final int BATCH = LedgerLoad.BATCH;
  private static final double MEGABYTE = 1e6;
  private static final double NANOS_A_MICRO = 1e3;
  private static final double NANOS_A_SECOND = 1e9;

  /**
   * Command line of redis-benchmark, with as many commands in a round trip as a batch has messages,
   * and values of 16 bytes.
   */
  private static final String PLAIN =
      "redis-benchmark -p %d -c 1 -t set,get -d 16 -P %d -r %d -n %d -q";

  private static final Pattern USED = Pattern.compile("used_memory:(\\d+)");

  private RedisGrowth() {}

  /** Sends a load to a Redis through a ledger, and measures that Redis. */
  private interface Drive<R> {
    R on(RedisProcess redis, LedgerLoad load) throws LabException, IOException;
  }

  private static <R> R driven(Drive<R> drive)
      throws LabException, IOException, InterruptedException {
    try (LoneRedis lone = LoneRedis.started()) {
      RedisProcess redis = lone.process();
      redis.command("CONFIG", "SET", "maxmemory", "0"); // so that it evicts nothing
      try (LedgerLoad load = LedgerLoad.onRedis(redis.port(), WINDOW)) {
        return drive.on(redis, load);
      }
    }
  }

  /**
   * Measures a pair with one dead stream, so that every digest waits for a copy that never comes.
   *
   * @param sizes ascending numbers of digests at which to measure; processor time counts from the
   *     size before
   */
  static List<Run> unmatched(List<Integer> sizes)
      throws LabException, IOException, InterruptedException {
    return driven(
        (redis, load) -> {
          List<Run> runs = new ArrayList<>();
          Look empty = Look.at(redis);
          Look before = empty;
          long judged = 0;
          for (int size : sizes) {
            long from = judged;
            for (; judged < size; judged += BATCH) {
              expect(load.judge(0, judged / BATCH), BATCH);
            }
            load.report();
            Look after = Look.at(redis);
            double bytes = (double) (after.memory() - empty.memory()) / judged;
            String variant = "one stream dead, %,d digests".formatted(size);
            runs.add(after.run(before, variant, judged - from, 1, Map.of(BYTES_A_DIGEST, bytes)));
            before = after;
          }
          return runs;
        });
  }

  /**
   * Measures two healthy streams, the second of which lags by one second; then, on the same server,
   * a plain SET and GET for each message.
   *
   * @param time how long the messages would last at the nominal rate; the real time may differ
   */
  static List<Run> healthy(Duration time) throws LabException, IOException, InterruptedException {
    return driven(
        (redis, load) -> {
          int lag = RATE / BATCH;
          for (int i = 0; i < lag; i++) {
            expect(load.judge(0, i), BATCH);
          }
          load.report();
          Look before = Look.at(redis);
          long batches = time.toSeconds() * RATE / BATCH;
          for (int i = 0; i < batches; i++) {
            expect(load.judge(0, i + lag), BATCH);
            expect(load.judge(1, i), 0);
          }
          load.report();
          Look after = Look.at(redis);
          double grown = Math.max(0, after.memory() - before.memory());
          double windows = (double) WINDOW.toSeconds() / time.toSeconds();
          double atLast = (before.memory() + grown * windows) / MEGABYTE;
          Run healthy =
              after.run(
                  before,
                  "healthy pair, %,d/s, 1 s of lag".formatted(RATE),
                  batches * BATCH,
                  2,
                  Map.of("Redis MB after a whole window", atLast));
          String command = PLAIN.formatted(redis.port(), BATCH, RATE, batches * BATCH);
          ChildProcess.run(Path.of("/"), Splitter.on(' ').splitToList(command));
          Run plain = Look.at(redis).run(after, "plain GET and SET", batches * BATCH, 1, Map.of());
          return List.of(healthy, plain);
        });
  }

  /**
   * Throws if a wrong number of copies was kept, because the speed of wrong answers means nothing.
   */
  private static void expect(int kept, int expected) throws IOException {
    if (kept != expected) {
      throw new IOException(
          "%d copies of a batch are kept, not %d: no measurement".formatted(kept, expected));
    }
  }

  /**
   * What Redis has used at one moment.
   *
   * @param memory used memory in bytes, as Redis reports it
   */
  private record Look(long nanos, long memory, Duration cpu) {
    static Look at(RedisProcess redis) throws IOException {
      Matcher used = USED.matcher(redis.command("INFO", "memory"));
      if (!used.find()) {
        throw new IOException("Redis does not say how much memory it uses");
      }
      Duration cpu =
          redis.server().processes().stream()
              .flatMap(process -> process.info().totalCpuDuration().stream())
              .reduce(Duration.ZERO, Duration::plus);
      return new Look(System.nanoTime(), Long.parseLong(used.group(1)), cpu);
    }

    /**
     * Returns what Redis used between two moments, as a run.
     *
     * @param copies number of copies of each message
     */
    Run run(Look before, String variant, long messages, int copies, Map<String, Double> figure) {
      double seconds = (nanos - before.nanos) / NANOS_A_SECOND;
      double micros = cpu.minus(before.cpu).toNanos() / NANOS_A_MICRO / Math.max(1, messages);
      Map<String, Double> figures = new LinkedHashMap<>(figure);
      figures.put(REDIS_A_COPY, micros / copies);
      figures.put(MEGABYTES, memory / MEGABYTE);
      return new Run(
          variant,
          new Reconciliation(messages, copies * messages, messages, 0, 0, 0),
          messages / seconds,
          null,
          Map.of("redis", micros),
          Map.of("redis", memory),
          figures,
          ImmutableMap.of(
              "messages a batch", Integer.toString(BATCH), "window", WINDOW.toMinutes() + " min"));
    }
  }
}
