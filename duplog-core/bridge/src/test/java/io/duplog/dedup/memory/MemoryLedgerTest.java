package io.duplog.dedup.memory;

import static org.assertj.core.api.Assertions.assertThat;

import io.duplog.dedup.Claim;
import io.duplog.dedup.Judgement;
import io.duplog.dedup.LedgerContract;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Tests that the ledger in a bridge's own memory behaves like every ledger, and stays within its
 * memory limit.
 */
@Tag("slow")
class MemoryLedgerTest extends LedgerContract {
  MemoryLedgerTest() {
    super(SteppedStore::running);
  }

  @Test
  void memory_isBounded_andForgetsTheOldestFirst() throws Exception {
    MemoryLedger ledger =
        MemoryLedger.ofOneBridge("one", List.of("a", "b"), WINDOW, LASTING, 3, System::nanoTime);
    ledger.advance(NOTHING);

    ledger.judge(new Claim("x", 0, ExplorableStore.digestsOf("abcdef")));
    Judgement.Counted counted =
        (Judgement.Counted) ledger.judge(new Claim("y", 1, ExplorableStore.digestsOf("feda")));

    assertThat(counted.kept()).hasToString("{3}");
  }
}
