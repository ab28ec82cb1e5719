package io.duplog.benchmark.part;

import io.duplog.dedup.LedgerUnavailableException;
import io.duplog.dedup.memory.MemoryLedger;
import java.time.Duration;
import java.util.List;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;

/** The verdict on a copy, with {@code dedup.store: memory}. */
@State(Scope.Benchmark)
public class MemoryVerdict {
  private static final Duration WINDOW = Duration.ofMinutes(10);
  private static final Duration LEASE = Duration.ofMinutes(1);
  private static final int MAX_DIGESTS = 1_000_000;

  private VerdictRound round;

  @Setup
  public void open() throws LedgerUnavailableException {
    round =
        new VerdictRound(
            MemoryLedger.ofOneBridge(
                "part", List.of("a", "b"), WINDOW, LEASE, MAX_DIGESTS, System::nanoTime));
  }

  @Benchmark
  @OperationsPerInvocation(VerdictRound.COPIES)
  public void judge() throws LedgerUnavailableException {
    round.run();
  }
}
