package io.duplog.dedup;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class GuardedLedgerTest {
  private static final int DEFECTS = 2;

  @Test
  void probe_thatFailsByADefect_countsAsFailed_andIsMadeAgain() {
    AtomicInteger probes = new AtomicInteger();
    GuardedLedger.Probe probe =
        () -> {
          if (probes.incrementAndGet() <= DEFECTS) {
            throw new IllegalStateException("a defect");
          }
        };
    try (GuardedLedger ledger =
        new GuardedLedger(new AwayLedger(), probe, "store", "messages pass")) {
      for (int calls = 0; calls < 2; calls++) {
        assertThatThrownBy(ledger::leave).isInstanceOf(LedgerUnavailableException.class);
      }
      assertThat(ledger.isAvailable()).isFalse();

      await().until(ledger::isAvailable);

      assertThat(probes).hasValue(DEFECTS + 1);
      assertThat(ledger.failures()).isEqualTo(2 + DEFECTS);
    }
  }

  /** A store that nobody reaches. */
  private static final class AwayLedger implements Ledger {
    private static LedgerUnavailableException away() {
      return new LedgerUnavailableException("store away", null, false);
    }

    @Override
    public Judgement judge(Claim claim) throws LedgerUnavailableException {
      throw away();
    }

    @Override
    public Horizon advance(Progress progress) throws LedgerUnavailableException {
      throw away();
    }

    @Override
    public void leave() throws LedgerUnavailableException {
      throw away();
    }

    @Override
    public Tallies tallies(Tallies.Bounds bounds) {
      throw new UnsupportedOperationException();
    }

    @Override
    public void close() {}
  }
}
