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
 * The verdict on a copy. A batch comes from two healthy streams: the first one's copies are kept,
 * the other's dropped, and the delivery of the kept ones is reported. The digests are then
 * forgotten, so that every round finds the ledger as the one before it did.
 */
@State(Scope.Benchmark)
public class Verdict {
  /** Judged in a round: both streams'. */
  static final int COPIES = 2 * SampleBatch.MESSAGES;

  private static final int BYTES = 110; // a digest is as long for any message

  /** Short, so that the records of delivered batches do not fill a Redis's memory. */
  private static final Duration REDIS_WINDOW = Duration.ofSeconds(10);

  /** {@code dedup.store}; Redis is a real one, its round trips included. */
  @Param({"memory", "redis"})
  public String store = "";

  private final Digests digests =
      new Digester(Identity.SENDER_AND_MESSAGE).digest(SampleBatch.decoded(BYTES));

  private @Nullable LoneRedis redis;
  private LedgerLoad load;
  private long round;

  @Setup
  public void open() throws IOException {
    if (store.equals("redis")) {
      redis = LoneRedis.started();
      load = LedgerLoad.onRedis(redis.port(), REDIS_WINDOW);
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
   * A round.
   *
   * @throws IllegalStateException where the ledger does not judge as it has to: a wrong answer may
   *     well be a fast one
   */
  @Benchmark
  @OperationsPerInvocation(COPIES)
  public void judge() throws IOException {
    if (load.judge(0, round, digests) != digests.count() || load.judge(1, round, digests) != 0) {
      throw new IllegalStateException("wrong verdicts in round " + round);
    }
    load.report();
    round++;
  }
}
