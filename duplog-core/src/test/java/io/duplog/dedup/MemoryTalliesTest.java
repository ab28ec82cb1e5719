package io.duplog.dedup;

import java.time.Duration;
import java.util.UUID;

class MemoryTalliesTest extends TalliesContract {
  private final MemoryStore store =
      new MemoryStore(
          2,
          Duration.ofSeconds(4).toNanos(),
          10_000,
          // Late enough that there was a period before.
          () -> Duration.ofDays(1).toNanos() + System.nanoTime(),
          () -> UUID.randomUUID().toString());

  @Override
  Ledger open(String bridge, Duration lease) {
    return new MemoryLedger(store, bridge, lease);
  }
}
