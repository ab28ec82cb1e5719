package io.duplog.benchmark.part;

import io.duplog.benchmark.lab.Folders;
import io.duplog.benchmark.lab.LabException;
import io.duplog.benchmark.lab.LoneRedis;
import io.duplog.dedup.LedgerUnavailableException;
import io.duplog.dedup.redis.RedisLedger;
import io.duplog.dedup.redis.RedisSettings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
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

  private Path home;
  private LoneRedis redis;
  private RedisLedger ledger;
  private VerdictRound round;

  @Setup
  public void start()
      throws IOException, LabException, InterruptedException, LedgerUnavailableException {
    home = Files.createTempDirectory("duplog-part-redis");
    redis = LoneRedis.start(home);
    ledger =
        new RedisLedger(
            new RedisSettings("127.0.0.1", redis.port(), null, null, 0, "duplog", TIMEOUT, 2),
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
    Folders.delete(home);
  }

  @Benchmark
  @OperationsPerInvocation(VerdictRound.COPIES)
  public void judge() throws LedgerUnavailableException {
    round.run();
  }
}
