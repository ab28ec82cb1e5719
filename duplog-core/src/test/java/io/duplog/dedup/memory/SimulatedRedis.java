package io.duplog.dedup.memory;

import io.duplog.dedup.Ledger;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.LongSupplier;

/** The production store in the place of Redis, on a clock that others set. */
public final class SimulatedRedis {
  private static final int DIGESTS = 100_000;

  private final MemoryStore store;

  /**
   * @param nanoClock the server's, which may jump
   * @param trusting that clock: leases run by it
   */
  public SimulatedRedis(Duration window, LongSupplier nanoClock, boolean trusting) {
    AtomicInteger runs = new AtomicInteger();
    this.store =
        new MemoryStore(
            window.toNanos(), DIGESTS, nanoClock, () -> "run" + runs.incrementAndGet()) {
          @Override
          synchronized void follow(long leaseNanos) {
            if (!trusting) {
              super.follow(leaseNanos);
            }
          }
        };
  }

  /** A bridge's view of it. */
  public Ledger ledgerOf(String bridge, List<String> streams, Duration lease) {
    return new MemoryLedger(store, bridge, streams, lease);
  }

  /** It starts again without data. */
  public void restart() {
    store.forgetAll();
  }
}
