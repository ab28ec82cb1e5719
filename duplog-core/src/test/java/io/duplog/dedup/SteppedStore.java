package io.duplog.dedup;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/** What several bridges share, in this process and by a clock that the test moves. */
public final class SteppedStore {
  private final AtomicLong nanos = new AtomicLong();
  private final AtomicLong epochs = new AtomicLong();
  private final MemoryStore store;

  public SteppedStore(int streams, Duration window) {
    store =
        new MemoryStore(
            streams,
            window.toNanos(),
            1_000_000,
            nanos::get,
            () -> "epoch-" + epochs.incrementAndGet());
  }

  /** A bridge that has its lease. */
  public Ledger bridge(String name, Duration lease) throws LedgerUnavailableException {
    Ledger ledger = new MemoryLedger(store, name, lease);
    ledger.advance(new Progress(List.of(), List.of(), 0, false));
    return ledger;
  }

  public void pass(Duration time) {
    nanos.addAndGet(time.toNanos());
  }

  public long millis() {
    return TimeUnit.NANOSECONDS.toMillis(nanos.get());
  }

  /** As after a restart of Redis. */
  public void forgetAll() {
    store.forgetAll();
  }
}
