package io.duplog.dedup.memory;

import io.duplog.dedup.Ledger;
import io.duplog.dedup.LedgerUnavailableException;
import io.duplog.dedup.Progress;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/** What several bridges share, in this process and by a clock that the test moves. */
public final class SteppedStore {
  private final Duration window;
  private final AtomicLong nanos;
  private final AtomicLong epochs = new AtomicLong();
  private final MemoryStore store;

  public SteppedStore(Duration window) {
    this(window, new AtomicLong());
  }

  private SteppedStore(Duration window, AtomicLong nanos) {
    this.window = window;
    this.nanos = nanos;
    store =
        new MemoryStore(
            window.toNanos(), 1_000_000, nanos::get, () -> "epoch-" + epochs.incrementAndGet());
  }

  /** One more, by the same clock. */
  public SteppedStore another() {
    return new SteppedStore(window, nanos);
  }

  /** A bridge that has its lease. */
  public Ledger bridge(String name, List<String> streams, Duration lease)
      throws LedgerUnavailableException {
    Ledger ledger = new MemoryLedger(store, name, streams, lease);
    ledger.advance(new Progress(List.of(), List.of(), 0, false));
    return ledger;
  }

  public void pass(Duration time) {
    nanos.addAndGet(time.toNanos());
  }

  public long millis() {
    return TimeUnit.NANOSECONDS.toMillis(nanos.get());
  }

  /** As an operator does it. */
  public void remove(String stream) {
    store.remove(stream);
  }

  /** As after a restart of Redis. */
  public void forgetAll() {
    store.forgetAll();
  }
}
