package io.duplog.settle;

import static org.assertj.core.api.Assertions.assertThat;

import io.duplog.dedup.Claim;
import io.duplog.dedup.ExplorableStore;
import io.duplog.dedup.Horizon;
import io.duplog.dedup.Judgement;
import io.duplog.dedup.Ledger;
import io.duplog.dedup.Progress;
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
  private static final String BATCH = "batch-1";

  private final AnsweringLedger ledger = new AnsweringLedger();

  /** A machine that has been up for longer than the hold limit. */
  private long nanos = TimeUnit.HOURS.toNanos(1);

  private final Settler settler =
      new Settler(ledger, new NoSurroundings(), LEASE, HOLD_LIMIT, () -> nanos);

  @Test
  void batchWhoseAnswerIsOnItsWay_isNotGivenUpWhenTheLeaseIsRenewed() {
    ledger.duringJudgement = settler::runOnce;
    settler.judge(holding());
    renewLease();

    assertThat(ledger.revoked).isEmpty();
  }

  @Test
  void batchThatTheSinkHoldsForTooLong_isGivenUp() {
    settler.judge(holding());
    nanos += HOLD_LIMIT.toNanos() + 1;
    renewLease();
    renewLease();

    assertThat(ledger.revoked).containsExactly(BATCH);
  }

  private void renewLease() {
    nanos += LEASE.toNanos();
    settler.runOnce();
  }

  private static Holding holding() {
    byte[] body = "m".getBytes(StandardCharsets.US_ASCII);
    Claim claim = new Claim(BATCH, 0, ExplorableStore.digestsOf("m"));
    return new Holding(MessageBatch.ofPlainBody(body), claim, new LastingOrigin(), true);
  }

  /** Keeps everything, and lists the one batch as pending from its judgement on. */
  private static final class AnsweringLedger implements Ledger {
    private final List<String> pending = new ArrayList<>();
    private final List<String> revoked = new ArrayList<>();
    private Runnable duringJudgement = () -> {};

    @Override
    public Judgement judge(Claim claim) {
      pending.add(claim.batchId());
      duringJudgement.run();
      BitSet kept = new BitSet();
      kept.set(0);
      return new Judgement.Counted("epoch", 1, kept, false);
    }

    @Override
    public Horizon advance(Progress progress) {
      revoked.addAll(progress.revoke());
      pending.removeAll(progress.revoke());
      return new Horizon(
          "epoch", pending.isEmpty() ? Long.MAX_VALUE : 1, 0, List.of(), List.copyOf(pending));
    }

    @Override
    public void leave() {}

    @Override
    public void close() {}
  }

  private static final class NoSurroundings implements Settler.Surroundings {
    @Override
    public void deliver(Holding holding, BitSet copies) {}

    @Override
    public void judgeLater(Holding holding) {}
  }

  private static final class LastingOrigin implements Origin {
    @Override
    public boolean isLost() {
      return false;
    }

    @Override
    public void settle(int dropped) {}

    @Override
    public void forget() {}
  }
}
