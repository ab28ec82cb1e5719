package io.duplog.dedup.memory;

import io.duplog.dedup.Ledger;
import io.duplog.dedup.LedgerUnavailableException;
import io.duplog.dedup.Progress;
import io.duplog.dedup.SharedStore;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;

/** Runs the ledger of a bridge's own memory with a clock that the test moves. */
public final class SteppedStore implements SharedStore {
  private final Duration window;
  private final LongSupplier clock;
  private final AtomicLong set;
  private final AtomicLong epochs = new AtomicLong();
  private final MemoryStore store;

  public SteppedStore(Duration window) {
    this(window, () -> 0, new AtomicLong(), false);
  }

  /**
   * Makes a store whose clock also moves by itself.
   *
   * @param trusting that clock: leases run by it
   */
  public SteppedStore(Duration window, LongSupplier nanoClock, boolean trusting) {
    this(window, nanoClock, new AtomicLong(), trusting);
  }

  private SteppedStore(Duration window, LongSupplier clock, AtomicLong set, boolean trusting) {
    this.window = window;
    this.clock = clock;
    this.set = set;
    this.store =
        new MemoryStore(
            window.toNanos(), 1_000_000, this::nanos, () -> "epoch-" + epochs.incrementAndGet()) {
          @Override
          synchronized void adjustLeases(long leaseNanos) {
            if (!trusting) {
              super.adjustLeases(leaseNanos);
            }
          }
        };
  }

  /**
   * Returns a store for a test that takes real time, begun so late that there was a period before.
   */
  static SteppedStore running(Duration window) {
    SteppedStore running = new SteppedStore(window, System::nanoTime, false);
    running.pass(Duration.ofDays(1));
    return running;
  }

  /** Returns another store with the same clock. */
  public SteppedStore another() {
    return new SteppedStore(window, clock, set, false);
  }

  @Override
  public Ledger open(String bridge, List<String> streams, Duration lease) {
    return new MemoryLedger(store, bridge, streams, lease);
  }

  /** Opens a ledger of a bridge that has its lease. */
  public Ledger bridge(String name, List<String> streams, Duration lease)
      throws LedgerUnavailableException {
    Ledger ledger = open(name, streams, lease);
    ledger.advance(new Progress(List.of(), List.of(), 0, false));
    return ledger;
  }

  @Override
  public void pass(Duration time) {
    set.addAndGet(time.toNanos());
  }

  private long nanos() {
    return clock.getAsLong() + set.get();
  }

  public long millis() {
    return TimeUnit.NANOSECONDS.toMillis(nanos());
  }

  @Override
  public void remove(String stream) {
    store.remove(stream);
  }

  @Override
  public int remembered() {
    return store.counts.size();
  }

  @Override
  public void forgetDigests() {
    while (!store.counts.isEmpty()) {
      store.forgetOldest(nanos());
    }
  }

  @Override
  public void forgetAll() {
    store.forgetAll();
  }
}
