package io.duplog.dedup.memory;

import io.duplog.dedup.ClockContract;
import io.duplog.dedup.Ledger;
import java.time.Duration;
import java.util.List;
import java.util.UUID;

class MemoryClockTest extends ClockContract {
  private long setByNanos;

  private final MemoryStore store =
      new MemoryStore(
          WINDOW.toNanos(),
          1000,
          () -> System.nanoTime() + setByNanos,
          () -> UUID.randomUUID().toString());

  @Override
  public Ledger open(String bridge, Duration lease) {
    return new MemoryLedger(store, bridge, List.of("a", "b"), lease);
  }

  @Override
  public void setClock(Duration by) {
    setByNanos += by.toNanos();
  }
}
