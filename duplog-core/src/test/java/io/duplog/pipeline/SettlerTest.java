package io.duplog.pipeline;

import static org.assertj.core.api.Assertions.assertThat;

import io.duplog.dedup.Claim;
import io.duplog.dedup.Horizon;
import io.duplog.dedup.Judgement;
import io.duplog.dedup.Ledger;
import io.duplog.dedup.LedgerUnavailableException;
import io.duplog.dedup.Progress;
import io.duplog.dedup.Tallies;
import io.duplog.dedup.memory.ExplorableStore;
import io.duplog.wire.MessageBatch;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class SettlerTest {
  private static final Duration LEASE = Duration.ofSeconds(10);
  private static final Duration HOLD_LIMIT = Duration.ofMinutes(5);
  private static final Duration RELEASE_AFTER = Duration.ofSeconds(1);
  private static final String BATCH = "batch-1";

  private final AnsweringLedger ledger = new AnsweringLedger();

  private final CountingSurroundings surroundings = new CountingSurroundings();

  /** A machine that has been up for longer than the hold limit. */
  private long nanos = TimeUnit.HOURS.toNanos(1);

  private final Settler settler = settler(false);

  @Test
  void batchWhoseAnswerIsOnItsWay_isNotGivenUpWhenTheLeaseIsRenewed() {
    ledger.duringJudgement = settler::runOnce;
    settler.judge(inFlight());
    renewLease();

    assertThat(ledger.revoked).isEmpty();
  }

  @Test
  void batchThatTheSinkHoldsForTooLong_isGivenUp() {
    settler.judge(inFlight());
    nanos += HOLD_LIMIT.toNanos() + 1;
    renewLease();
    renewLease();

    assertThat(ledger.revoked).containsExactly(BATCH);
  }

  @Test
  void withdrawnBatch_isForgotten_andItsRecordRevoked() {
    settler.judge(inFlight());
    nanos += HOLD_LIMIT.toNanos() + 1;
    assertThat(settler.isOverdue()).isTrue();
    settler.withdrawn(surroundings.delivered.get(0));
    renewLease();
    assertThat(settler.held()).isZero();
    assertThat(settler.isOverdue()).isFalse();
    renewLease();

    assertThat(ledger.revoked).containsExactly(BATCH);
  }

  @Test
  void manyWithdrawnBatches_areRevokedWithoutWaitingForTheNextRenewal() {
    for (int i = 0; i < 50; i++) {
      settler.judge(inFlight("batch-" + i));
    }
    surroundings.delivered.forEach(settler::withdrawn);
    renewLease();
    for (int i = 0; i < 10; i++) {
      settler.runOnce();
    }

    assertThat(ledger.revoked).hasSize(50).doesNotHaveDuplicates();
  }

  @Test
  void droppedCopy_whileTheLedgerPauses_waits_andIsReleasedAfterALongerAbsence() {
    ledger.keeps = false;
    ledger.lowestPending = 0;
    settler.judge(inFlight());
    settler.runOnce();
    ledger.available = false;
    settler.runOnce();
    nanos += RELEASE_AFTER.toNanos() - 1;
    settler.runOnce();
    assertThat(surroundings.released).isEqualTo(0);

    ledger.available = true;
    settler.runOnce();
    ledger.available = false;
    settler.runOnce();
    nanos += RELEASE_AFTER.toNanos() - 1;
    settler.runOnce();
    assertThat(surroundings.released).isEqualTo(0);
    nanos++;
    settler.runOnce();

    assertThat(surroundings.released).isEqualTo(1);
  }

  @Test
  void observedDrop_isDeliveredAtOnce_andThenSettled_whateverTheLedgerSays() {
    Settler observing = settler(true);
    ledger.keeps = false;
    ledger.lowestPending = 0; // an enforcing bridge would have to wait
    observing.judge(inFlight());
    assertThat(surroundings.delivered).isEmpty();
    ledger.available = false;
    observing.runOnce();
    assertThat(surroundings.released).isEqualTo(1);
    assertThat(observing.held()).isEqualTo(1);

    observing.delivered(surroundings.delivered.get(0));
    observing.runOnce();

    assertThat(observing.held()).isZero();
    assertThat(surroundings.released).isEqualTo(1);
  }

  private Settler settler(boolean observing) {
    return new Settler(
        List.of(ledger), surroundings, LEASE, HOLD_LIMIT, RELEASE_AFTER, observing, () -> nanos);
  }

  private void renewLease() {
    nanos += LEASE.toNanos();
    settler.runOnce();
  }

  private static InFlightBatch inFlight() {
    return inFlight(BATCH);
  }

  private static InFlightBatch inFlight(String batchId) {
    byte[] body = "m".getBytes(StandardCharsets.US_ASCII);
    Claim claim = new Claim(batchId, 0, ExplorableStore.digestsOf("m"));
    return new InFlightBatch(MessageBatch.ofPlainBody(body), claim, new LastingOrigin(), true, 0);
  }

  /** Keeps everything, and lists the one batch as pending from its judgement on. */
  private static final class AnsweringLedger implements Ledger {
    private final List<String> pending = new ArrayList<>();
    private final List<String> revoked = new ArrayList<>();
    private Runnable duringJudgement = () -> {};
    private boolean keeps = true;
    private boolean available = true;
    private long lowestPending = 1;

    @Override
    public Judgement judge(Claim claim) {
      if (keeps) {
        pending.add(claim.batchId());
      }
      duringJudgement.run();
      BitSet kept = new BitSet();
      kept.set(0, keeps);
      return new Judgement.Counted("epoch", 1, kept, false, null);
    }

    @Override
    public Horizon advance(Progress progress) throws LedgerUnavailableException {
      if (!available) {
        throw new LedgerUnavailableException("paused", null, true);
      }
      revoked.addAll(progress.revoke());
      pending.removeAll(progress.revoke());
      return new Horizon(
          "epoch",
          pending.isEmpty() && keeps ? Long.MAX_VALUE : lowestPending,
          0,
          List.of(),
          List.copyOf(pending));
    }

    @Override
    public void leave() {}

    @Override
    public Tallies tallies(Tallies.Bounds bounds) {
      throw new UnsupportedOperationException("nothing is tallied here");
    }

    @Override
    public void close() {}
  }

  private static final class CountingSurroundings implements Settler.Surroundings {
    private final List<InFlightBatch> delivered = new ArrayList<>();
    private int released;

    @Override
    public void deliver(InFlightBatch inFlight, BitSet copies) {
      delivered.add(inFlight);
      released += copies.cardinality();
    }

    @Override
    public void judgeLater(InFlightBatch inFlight) {}
  }

  private static final class LastingOrigin implements Origin {
    @Override
    public boolean isLost() {
      return false;
    }

    @Override
    public void settle(int dropped, int repeated) {}

    @Override
    public void forget(int givenBack) {}
  }
}
