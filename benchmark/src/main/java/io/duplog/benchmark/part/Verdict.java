package io.duplog.benchmark.part;

import io.duplog.dedup.Digester;
import io.duplog.dedup.Digests;
import io.duplog.dedup.Identity;
import io.duplog.dedup.memory.MemoryLedger;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/**
 * Microbenchmark of how fast the ledger decides which copies to keep. Two healthy streams bring the
 * same batch. The first stream's copies are kept, the other's are dropped, and the kept ones are
 * reported as delivered. The ledger then forgets the digests, so that every round finds it in the
 * same state.
 */
@State(Scope.Benchmark)
public class Verdict {
  /** Number of copies that get a verdict in one round, on both streams together. */
  static final int COPIES_PER_ROUND = 2 * SampleBatch.MESSAGES;

  private static final int MESSAGE_BYTES =
      110; // Any length is suitable, because digests are equally long.

  /**
   * Deduplication window in Redis, which is short so that the records of delivered batches do not
   * fill Redis's memory.
   */
  private static final Duration REDIS_WINDOW = Duration.ofSeconds(10);

  /**
   * Value of {@code dedup.store}. For {@code redis}, the measurement includes round trips to a real
   * Redis.
   */
  @Param({"memory", "redis"})
  public String store = "";

  private final Digests digests =
      new Digester(Identity.SENDER_AND_MESSAGE).digest(SampleBatch.decode(MESSAGE_BYTES));

  private @Nullable LoneRedis redis;
  private LedgerLoad load;
  private long round;

  @Setup
  public void open() throws IOException {
    if (store.equals("redis")) {
      redis = LoneRedis.started();
      load = LedgerLoad.onRedis(redis.process().port(), REDIS_WINDOW);
    } else {
      load =
          new LedgerLoad(
              MemoryLedger.ofOneBridge(
                  "part",
                  List.of("a", "b"),
                  Duration.ofMinutes(10),
                  Duration.ofMinutes(1),
                  1_000_000,
                  System::nanoTime));
    }
  }

  @TearDown
  public void close() throws IOException {
    load.close();
    if (redis != null) {
      redis.close();
    }
  }

  /**
   * Gets the verdicts on a batch from both streams, and reports the batch as delivered.
   *
   * @throws IllegalStateException if a verdict is wrong, because the speed of wrong answers means
   *     nothing
   */
  @Benchmark
  @OperationsPerInvocation(COPIES_PER_ROUND)
  public void judge() throws IOException {
    if (load.judge(0, round, digests) != digests.count() || load.judge(1, round, digests) != 0) {
      throw new IllegalStateException("wrong verdicts in round " + round);
    }
    load.report();
    round++;
  }
}
