package io.duplog.dedup.memory;

import static org.assertj.core.api.Assertions.assertThat;

import io.duplog.dedup.Claim;
import io.duplog.dedup.Judgement;
import io.duplog.dedup.Ledger;
import io.duplog.dedup.LedgerContract;
import io.duplog.dedup.Progress;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class MemoryLedgerTest extends LedgerContract {
  private MemoryStore store = store();

  @Override
  public Ledger open(String bridge, int streams, Duration lease) {
    List<String> names = IntStream.range(0, streams).mapToObj(i -> "stream-" + i).toList();
    return new MemoryLedger(store, bridge, names, lease);
  }

  private static MemoryStore store() {
    return new MemoryStore(
        WINDOW.toNanos(), 10_000, System::nanoTime, () -> UUID.randomUUID().toString());
  }

  @Override
  public void forgetStreams() {
    store = store();
  }

  @Test
  void memory_isBounded_andForgetsTheOldestFirst() throws Exception {
    MemoryLedger ledger =
        MemoryLedger.ofOneBridge("one", List.of("a", "b"), WINDOW, LEASE, 3, System::nanoTime);
    ledger.advance(new Progress(List.of(), List.of(), 0, false));

    ledger.judge(new Claim("x", 0, ExplorableStore.digestsOf("abcdef")));
    Judgement.Counted counted =
        (Judgement.Counted) ledger.judge(new Claim("y", 1, ExplorableStore.digestsOf("feda")));

    assertThat(counted.kept()).hasToString("{3}");
  }
}
