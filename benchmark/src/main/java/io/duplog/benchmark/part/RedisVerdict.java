package io.duplog.benchmark.part;

import io.duplog.benchmark.lab.LoneRedis;
import io.duplog.dedup.LedgerUnavailableException;
import io.duplog.dedup.redis.RedisLedger;
import io.duplog.dedup.redis.RedisSettings;
import io.duplog.rig.LabException;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/** The verdict on a copy by a real Redis, the round trips included. */
@State(Scope.Benchmark)
public class RedisVerdict {
  /** Short, so that the records of delivered batches do not fill the memory. */
  private static final Duration WINDOW = Duration.ofSeconds(10);

  private static final Duration LEASE = Duration.ofMinutes(1);
  private static final Duration TIMEOUT = Duration.ofSeconds(5);

  private LoneRedis redis;
  private RedisLedger ledger;
  private VerdictRound round;

  @Setup
  public void start()
      throws IOException, LabException, InterruptedException, LedgerUnavailableException {
    redis = LoneRedis.started();
    ledger =
        new RedisLedger(
            new RedisSettings(
                new RedisSettings.Server("127.0.0.1", redis.port()),
                RedisSettings.Login.NONE,
                0,
                "duplog",
                TIMEOUT,
                2),
            "part",
            List.of("syslog-a", "syslog-b"),
            WINDOW,
            LEASE);
    round = new VerdictRound(ledger);
  }

  @TearDown
  public void stop() throws IOException {
    ledger.close();
    redis.close();
  }

  @Benchmark
  @OperationsPerInvocation(VerdictRound.COPIES)
  public void judge() throws LedgerUnavailableException {
    round.run();
  }
}
