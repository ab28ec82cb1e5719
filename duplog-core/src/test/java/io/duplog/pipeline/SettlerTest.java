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
import io.duplog.deliver.WaitingSink;
import io.duplog.observe.Counters;
import io.duplog.receive.FakeChannel;
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

  private final WaitingSink sink = new WaitingSink();

  /** A machine that has been up for longer than the hold limit. */
  private long nanos = TimeUnit.HOURS.toNanos(1);

  private final SteppedPipeline pipeline = pipeline(false);

  @Test
  void batchWhoseAnswerIsOnItsWay_isNotGivenUpWhenTheLeaseIsRenewed() {
    ledger.duringJudgement = pipeline::settle;
    judge(pipeline, BATCH);
    renewLease();

    assertThat(ledger.revoked).isEmpty();
  }

  @Test
  void batchThatTheSinkHoldsForTooLong_isGivenUp() {
    judge(pipeline, BATCH);
    nanos += HOLD_LIMIT.toNanos() + 1;
    renewLease();
    renewLease();

    assertThat(ledger.revoked).containsExactly(BATCH);
  }

  @Test
  void withdrawnBatch_isForgotten_andItsRecordRevoked() {
    judge(pipeline, BATCH);
    nanos += HOLD_LIMIT.toNanos() + 1;
    assertThat(pipeline.isOverdue()).isTrue();
    sink.withdraw();
    renewLease();
    assertThat(pipeline.held()).isZero();
    assertThat(pipeline.isOverdue()).isFalse();
    renewLease();

    assertThat(ledger.revoked).containsExactly(BATCH);
  }

  @Test
  void manyWithdrawnBatches_areRevokedWithoutWaitingForTheNextRenewal() {
    for (int i = 0; i < 50; i++) {
      judge(pipeline, "batch-" + i);
    }
    sink.withdraw();
    renewLease();
    for (int i = 0; i < 10; i++) {
      pipeline.settle();
    }

    assertThat(ledger.revoked).hasSize(50).doesNotHaveDuplicates();
  }

  @Test
  void droppedCopy_whileTheLedgerPauses_waits_andIsReleasedAfterALongerAbsence() {
    ledger.keeps = false;
    ledger.lowestPending = 0;
    judge(pipeline, BATCH);
    pipeline.settle();
    ledger.available = false;
    pipeline.settle();
    nanos += RELEASE_AFTER.toNanos() - 1;
    pipeline.settle();
    assertThat(sink.given).isEqualTo(0);

    ledger.available = true;
    pipeline.settle();
    ledger.available = false;
    pipeline.settle();
    nanos += RELEASE_AFTER.toNanos() - 1;
    pipeline.settle();
    assertThat(sink.given).isEqualTo(0);
    nanos++;
    pipeline.settle();

    assertThat(sink.given).isEqualTo(1);
  }

  @Test
  void observedDrop_isDeliveredAtOnce_andThenSettled_whateverTheLedgerSays() {
    SteppedPipeline observing = pipeline(true);
    ledger.keeps = false;
    ledger.lowestPending = 0; // an enforcing bridge would have to wait
    judge(observing, BATCH);
    assertThat(sink.waiting).isEmpty();
    ledger.available = false;
    observing.settle();
    assertThat(sink.given).isEqualTo(1);
    assertThat(observing.held()).isEqualTo(1);

    sink.accept();
    observing.settle();

    assertThat(observing.held()).isZero();
    assertThat(sink.given).isEqualTo(1);
  }

  private SteppedPipeline pipeline(boolean observing) {
    return new SteppedPipeline(
        new PipelineSettings(LEASE, HOLD_LIMIT, RELEASE_AFTER, observing, 0),
        List.of(ledger),
        List.of(),
        sink,
        new Counters(List.of("a")),
        new Observer() {},
        () -> nanos);
  }

  private void renewLease() {
    nanos += LEASE.toNanos();
    pipeline.settle();
  }

  private static void judge(SteppedPipeline pipeline, String batchId) {
    byte[] body = "m".getBytes(StandardCharsets.US_ASCII);
    Claim claim = new Claim(batchId, 0, ExplorableStore.digestsOf("m"));
    pipeline.judge(new FakeChannel("a"), 1, MessageBatch.ofPlainBody(body), claim, true, 0);
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
}
