package io.duplog.dedup.memory;

import static org.assertj.core.api.Assertions.assertThat;

import io.duplog.dedup.Claim;
import io.duplog.dedup.Judgement;
import io.duplog.dedup.LedgerContract;
import io.duplog.observe.Conditions;
import io.duplog.observe.Level;
import io.duplog.observe.Runbook;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

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

  @Test
  void memoryThatForgetsTooSoon_isOnTheBoard_afterTheNextAdvance() throws Exception {
    Conditions board = Conditions.ofSystem();
    MemoryLedger ledger =
        MemoryLedger.ofOneBridge("one", List.of("a", "b"), WINDOW, LASTING, 3, System::nanoTime);
    ledger.reportHazardTo(
        board.trouble(
            LoggerFactory.getLogger(MemoryLedgerTest.class),
            "the memory",
            "memory",
            Level.DEGRADED,
            Runbook.STORE_FORGETS));
    ledger.advance(NOTHING);
    assertThat(board.has("memory", Runbook.STORE_FORGETS)).isFalse();

    ledger.judge(new Claim("x", 0, ExplorableStore.digestsOf("abcdef")));
    ledger.advance(NOTHING);

    assertThat(board.has("memory", Runbook.STORE_FORGETS)).isTrue();
    assertThat(board.condition("memory").sentence()).contains("Raise dedup.memory.max-digests");
  }
}
