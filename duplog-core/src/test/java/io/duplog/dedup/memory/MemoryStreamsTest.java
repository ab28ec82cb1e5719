package io.duplog.dedup.memory;

import io.duplog.dedup.Ledger;
import io.duplog.dedup.StreamsContract;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

class MemoryStreamsTest extends StreamsContract {
  private @Nullable MemoryStore store;

  @Override
  public Ledger open(String bridge, List<String> streams, Duration window, Duration lease) {
    return new MemoryLedger(store(window), bridge, streams, lease);
  }

  private MemoryStore store(Duration window) {
    MemoryStore known = store;
    if (known == null) {
      known =
          new MemoryStore(
              window.toNanos(), 10_000, System::nanoTime, () -> UUID.randomUUID().toString());
      store = known;
    }
    return known;
  }

  @Override
  public void remove(String stream) {
    store(WINDOW).remove(stream);
  }

  @Override
  public int remembered() {
    return store(WINDOW).counts.size();
  }
}
