package io.duplog.dedup;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.Test;

class MemoryLedgerTest extends LedgerContract {
  private final Map<Integer, MemoryStore> stores = new HashMap<>();

  @Override
  Ledger open(String bridge, int streams, Duration lease) {
    MemoryStore store = stores.computeIfAbsent(streams, MemoryLedgerTest::store);
    return new MemoryLedger(store, bridge, lease);
  }

  private static MemoryStore store(int streams) {
    return new MemoryStore(
        streams, WINDOW.toNanos(), 10_000, System::nanoTime, () -> UUID.randomUUID().toString());
  }

  @Override
  void forgetStreams() {
    stores.clear();
  }

  @Test
  void memory_isBounded_andForgetsTheOldestFirst() {
    MemoryLedger ledger = MemoryLedger.ofOneBridge("one", 2, WINDOW, LEASE, 3, System::nanoTime);
    ledger.advance(new Progress(List.of(), List.of(), 0, false));

    ledger.judge(new Claim("x", 0, ExplorableStore.digestsOf("abcdef")));
    Judgement.Counted counted =
        (Judgement.Counted) ledger.judge(new Claim("y", 1, ExplorableStore.digestsOf("feda")));

    assertThat(counted.kept()).hasToString("{3}");
  }
}
