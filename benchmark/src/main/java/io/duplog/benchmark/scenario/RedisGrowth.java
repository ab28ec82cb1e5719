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
 * Measures how much memory and processor time Redis needs as more messages are remembered. The
 * ledger runs without brokers, bridge and sink, as fast as one connection answers. Not thread-safe.
 */
final class RedisGrowth {
  static final String BYTES_PER_DIGEST_FIGURE = "bytes a digest";
  static final String MICROS_PER_COPY_FIGURE = "Redis µs a copy";
  private static final String MEGABYTES_FIGURE = "Redis MB";

  /** Deduplication window, the default of {@code dedup.window}. */
  private static final Duration WINDOW = Duration.ofMinutes(10);

  private static final int MESSAGES_PER_SECOND = 40_000;
  private static final int MESSAGES_PER_BATCH = LedgerLoad.BATCH;
  private static final double BYTES_PER_MEGABYTE = 1e6;
  private static final double NANOS_PER_MICRO = 1e3;
  private static final double NANOS_PER_SECOND = 1e9;

  /**
   * Command line of redis-benchmark. A round trip has as many commands as a batch has messages, and
   * values have 16 bytes.
   */
  private static final String PLAIN_COMMAND =
      "redis-benchmark -p %d -c 1 -t set,get -d 16 -P %d -r %d -n %d -q";

  private static final Pattern USED_MEMORY = Pattern.compile("used_memory:(\\d+)");

  private RedisGrowth() {}

  /** Sends a load to a Redis through a ledger, and measures that Redis. */
  private interface RedisMeasurement<R> {
    R measure(RedisProcess redis, LedgerLoad load) throws LabException, IOException;
  }

  private static <R> R measureRedis(RedisMeasurement<R> measurement)
      throws LabException, IOException, InterruptedException {
    try (LoneRedis lone = LoneRedis.started()) {
      RedisProcess redis = lone.process();
      redis.command("CONFIG", "SET", "maxmemory", "0"); // With a limit, Redis would evict keys.
      try (LedgerLoad load = LedgerLoad.onRedis(redis.port(), WINDOW)) {
        return measurement.measure(redis, load);
      }
    }
  }

  /**
   * Measures a pair with one dead stream, so that every digest waits for a copy that never comes.
   *
   * @param sizes ascending numbers of digests at which to measure; processor time counts from the
   *     preceding size
   */
  static List<Run> measureUnmatchedDigests(List<Integer> sizes)
      throws LabException, IOException, InterruptedException {
    return measureRedis(
        (redis, load) -> {
          List<Run> runs = new ArrayList<>();
          RedisUsage empty = RedisUsage.read(redis);
          RedisUsage usageBefore = empty;
          long judgedMessages = 0;
          for (int size : sizes) {
            long firstMessage = judgedMessages;
            for (; judgedMessages < size; judgedMessages += MESSAGES_PER_BATCH) {
              requireKept(load.judge(0, judgedMessages / MESSAGES_PER_BATCH), MESSAGES_PER_BATCH);
            }
            load.report();
            RedisUsage usageAfter = RedisUsage.read(redis);
            double bytes = (double) (usageAfter.memory() - empty.memory()) / judgedMessages;
            String variant = "one stream dead, %,d digests".formatted(size);
            runs.add(
                usageAfter.run(
                    usageBefore,
                    variant,
                    judgedMessages - firstMessage,
                    1,
                    Map.of(BYTES_PER_DIGEST_FIGURE, bytes)));
            usageBefore = usageAfter;
          }
          return runs;
        });
  }

  /**
   * Measures two healthy streams, if one lags by one second. Then measures a plain SET and GET for
   * each message on the same server.
   *
   * @param time duration of the messages at the nominal rate; the real time may differ
   */
  static List<Run> measureHealthyPair(Duration time)
      throws LabException, IOException, InterruptedException {
    return measureRedis(
        (redis, load) -> {
          int lagBatches = MESSAGES_PER_SECOND / MESSAGES_PER_BATCH;
          for (int i = 0; i < lagBatches; i++) {
            requireKept(load.judge(0, i), MESSAGES_PER_BATCH);
          }
          load.report();
          RedisUsage usageBefore = RedisUsage.read(redis);
          long batches = time.toSeconds() * MESSAGES_PER_SECOND / MESSAGES_PER_BATCH;
          for (int i = 0; i < batches; i++) {
            requireKept(load.judge(0, i + lagBatches), MESSAGES_PER_BATCH);
            requireKept(load.judge(1, i), 0);
          }
          load.report();
          RedisUsage usageAfter = RedisUsage.read(redis);
          double grownBytes = Math.max(0, usageAfter.memory() - usageBefore.memory());
          double windows = (double) WINDOW.toSeconds() / time.toSeconds();
          double finalMegabytes =
              (usageBefore.memory() + grownBytes * windows) / BYTES_PER_MEGABYTE;
          Run pairRun =
              usageAfter.run(
                  usageBefore,
                  "healthy pair, %,d/s, 1 s of lag".formatted(MESSAGES_PER_SECOND),
                  batches * MESSAGES_PER_BATCH,
                  2,
                  Map.of("Redis MB after a whole window", finalMegabytes));
          String command =
              PLAIN_COMMAND.formatted(
                  redis.port(),
                  MESSAGES_PER_BATCH,
                  MESSAGES_PER_SECOND,
                  batches * MESSAGES_PER_BATCH);
          ChildProcess.run(Path.of("/"), Splitter.on(' ').splitToList(command));
          Run plain =
              RedisUsage.read(redis)
                  .run(usageAfter, "plain GET and SET", batches * MESSAGES_PER_BATCH, 1, Map.of());
          return List.of(pairRun, plain);
        });
  }

  /**
   * Throws if a wrong number of copies was kept, because the speed of wrong answers means nothing.
   */
  private static void requireKept(int keptCopies, int expected) throws IOException {
    if (keptCopies != expected) {
      throw new IOException(
          "%d copies of a batch were kept instead of %d: no measurement"
              .formatted(keptCopies, expected));
    }
  }

  /**
   * The resources that Redis has used at one moment.
   *
   * @param memory used memory in bytes, as Redis reports it
   */
  private record RedisUsage(long nanos, long memory, Duration cpu) {
    static RedisUsage read(RedisProcess redis) throws IOException {
      Matcher used = USED_MEMORY.matcher(redis.command("INFO", "memory"));
      if (!used.find()) {
        throw new IOException("Redis does not report its used memory");
      }
      Duration cpu =
          redis.server().processes().stream()
              .flatMap(process -> process.info().totalCpuDuration().stream())
              .reduce(Duration.ZERO, Duration::plus);
      return new RedisUsage(System.nanoTime(), Long.parseLong(used.group(1)), cpu);
    }

    /**
     * Returns the resources that Redis used between two moments, as a run.
     *
     * @param copies number of copies of each message
     */
    Run run(
        RedisUsage usageBefore,
        String variant,
        long messages,
        int copies,
        Map<String, Double> figure) {
      double seconds = (nanos - usageBefore.nanos) / NANOS_PER_SECOND;
      double micros =
          cpu.minus(usageBefore.cpu).toNanos() / NANOS_PER_MICRO / Math.max(1, messages);
      Map<String, Double> figures = new LinkedHashMap<>(figure);
      figures.put(MICROS_PER_COPY_FIGURE, micros / copies);
      figures.put(MEGABYTES_FIGURE, memory / BYTES_PER_MEGABYTE);
      return new Run(
          variant,
          new Reconciliation(messages, copies * messages, messages, 0, 0, 0),
          messages / seconds,
          null,
          Map.of("redis", micros),
          Map.of("redis", memory),
          figures,
          ImmutableMap.of(
              "messages a batch",
              Integer.toString(MESSAGES_PER_BATCH),
              "window",
              WINDOW.toMinutes() + " min"));
    }
  }
}
