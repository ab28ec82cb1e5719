package io.duplog.dedup.memory;

import io.duplog.dedup.Ledger;
import io.duplog.dedup.TalliesContract;
import java.time.Duration;
import java.util.List;
import java.util.UUID;

class MemoryTalliesTest extends TalliesContract {
  private final MemoryStore store =
      new MemoryStore(
          Duration.ofSeconds(4).toNanos(),
          10_000,
          // Late enough that there was a period before.
          () -> Duration.ofDays(1).toNanos() + System.nanoTime(),
          () -> UUID.randomUUID().toString());

  @Override
  public Ledger open(String bridge, List<String> streams, Duration lease) {
    return new MemoryLedger(store, bridge, streams, lease);
  }
}
