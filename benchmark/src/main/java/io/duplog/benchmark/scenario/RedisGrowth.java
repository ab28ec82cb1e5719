package io.duplog.benchmark.scenario;

import com.google.common.collect.ImmutableMap;
import io.duplog.benchmark.lab.LoneRedis;
import io.duplog.benchmark.measure.Reconciliation;
import io.duplog.benchmark.part.LedgerLoad;
import io.duplog.benchmark.report.Run;
import io.duplog.rig.LabException;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What Redis alone needs, in memory and in processor time: with ever more digests that no other
 * stream brings, and for a healthy pair. The ledger is driven without brokers, bridge and sink, as
 * fast as one connection gives answers. One thread.
 */
final class RedisGrowth {
  static final String BYTES_A_DIGEST = "bytes a digest";
  static final String REDIS_A_COPY = "Redis µs a copy";
  static final String MEGABYTES = "Redis MB";
  static final String MEGABYTES_A_WINDOW = "Redis MB after a whole window";

  /** The default of the configuration. */
  private static final Duration WINDOW = Duration.ofMinutes(10);

  private static final int RATE = 40_000;
  private static final double MEGABYTE = 1e6;
  private static final double NANOS_A_MICRO = 1e3;
  private static final double NANOS_A_SECOND = 1e9;

  private static final Pattern USED = Pattern.compile("used_memory:(\\d+)");

  private final Consumer<String> progress;

  RedisGrowth(Consumer<String> progress) {
    this.progress = progress;
  }

  /** Drives one Redis. */
  private interface Drive {
    List<Run> on(LoneRedis redis, LedgerLoad load) throws IOException;
  }

  /**
   * One stream of two is dead: every digest waits for a copy that never comes.
   *
   * @param sizes how many digests are remembered where it is looked, ascending. The processors'
   *     time is that since the size before
   */
  List<Run> unmatched(List<Integer> sizes) throws LabException, IOException, InterruptedException {
    return driven(
        (redis, load) -> {
          List<Run> runs = new ArrayList<>();
          long empty = usedMemory(redis);
          long judged = 0;
          for (int size : sizes) {
            Look before = Look.at(redis);
            long from = judged;
            for (; judged < size; judged += LedgerLoad.BATCH) {
              expect(load.judge(0, judged / LedgerLoad.BATCH), LedgerLoad.BATCH);
            }
            load.report();
            Look after = Look.at(redis);
            Map<String, Double> figures =
                ImmutableMap.of(
                    BYTES_A_DIGEST, (double) (after.memory() - empty) / judged,
                    REDIS_A_COPY, after.microsSince(before, judged - from),
                    MEGABYTES, after.memory() / MEGABYTE);
            runs.add(
                run(
                    "one stream dead, %,d digests".formatted(size),
                    after,
                    before,
                    judged - from,
                    judged - from,
                    figures));
            progress.accept(
                "  %,d digests: %.1f bytes each, %.2f µs of Redis a copy"
                    .formatted(judged, figures.get(BYTES_A_DIGEST), figures.get(REDIS_A_COPY)));
          }
          return runs;
        });
  }

  /**
   * Two healthy streams, the second of which is behind by what comes in a second.
   *
   * @param time that it stands for, by its rate; in fact it takes as long as it takes
   */
  List<Run> healthy(Duration time) throws LabException, IOException, InterruptedException {
    return driven(
        (redis, load) -> {
          int lag = RATE / LedgerLoad.BATCH;
          for (int i = 0; i < lag; i++) {
            expect(load.judge(0, i), LedgerLoad.BATCH);
          }
          load.report();
          Look before = Look.at(redis);
          long batches = time.toSeconds() * RATE / LedgerLoad.BATCH;
          for (int i = 0; i < batches; i++) {
            expect(load.judge(0, i + lag), LedgerLoad.BATCH);
            expect(load.judge(1, i), 0);
          }
          load.report();
          Look after = Look.at(redis);
          double grown = Math.max(0, after.memory() - before.memory());
          double windows = (double) WINDOW.toSeconds() / time.toSeconds();
          long messages = batches * LedgerLoad.BATCH;
          Map<String, Double> figures =
              ImmutableMap.of(
                  REDIS_A_COPY, after.microsSince(before, 2 * messages),
                  MEGABYTES, after.memory() / MEGABYTE,
                  MEGABYTES_A_WINDOW, (before.memory() + grown * windows) / MEGABYTE);
          return List.of(
              run(
                  "healthy pair, %,d/s, 1 s of lag".formatted(RATE),
                  after,
                  before,
                  messages,
                  2 * messages,
                  figures));
        });
  }

  private List<Run> driven(Drive drive) throws LabException, IOException, InterruptedException {
    try (LoneRedis redis = LoneRedis.started()) {
      redis.command("CONFIG", "SET", "maxmemory", "0"); // or it forgets what is to be measured
      try (LedgerLoad load = new LedgerLoad(redis.port(), 2, WINDOW)) {
        return drive.on(redis, load);
      }
    }
  }

  /** A wrong answer may well be a fast one. */
  private static void expect(int kept, int expected) throws IOException {
    if (kept != expected) {
      throw new IOException(
          "%d copies of a batch are kept, not %d: no measurement".formatted(kept, expected));
    }
  }

  private static Run run(
      String variant,
      Look after,
      Look before,
      long messages,
      long copies,
      Map<String, Double> figures) {
    double seconds = (after.nanos() - before.nanos()) / NANOS_A_SECOND;
    return new Run(
        variant,
        seconds,
        new Reconciliation(messages, copies, messages, 0, 0, 0),
        messages / seconds,
        null,
        Map.of("redis", after.microsSince(before, messages)),
        Map.of("redis", after.memory()),
        figures,
        ImmutableMap.of(
            "messages a batch",
            Integer.toString(LedgerLoad.BATCH),
            "window",
            WINDOW.toMinutes() + " min"),
        List.of());
  }

  private static long usedMemory(LoneRedis redis) throws IOException {
    Matcher matcher = USED.matcher(redis.command("INFO", "memory"));
    if (!matcher.find()) {
      throw new IOException("Redis does not say how much memory it uses");
    }
    return Long.parseLong(matcher.group(1));
  }

  /**
   * Redis at one moment.
   *
   * @param memory bytes that it says it uses
   */
  private record Look(long nanos, long memory, Duration cpu) {
    static Look at(LoneRedis redis) throws IOException {
      Duration cpu =
          redis.processes().stream()
              .flatMap(process -> process.info().totalCpuDuration().stream())
              .reduce(Duration.ZERO, Duration::plus);
      return new Look(System.nanoTime(), usedMemory(redis), cpu);
    }

    double microsSince(Look before, long times) {
      return cpu.minus(before.cpu).toNanos() / NANOS_A_MICRO / Math.max(1, times);
    }
  }
}
