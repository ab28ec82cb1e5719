package io.duplog.dedup;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.List;
import java.util.function.Function;
import org.junit.jupiter.api.Test;

/**
 * What every ledger promises: besides the verdicts, what becomes of a batch, and of a bridge. Each
 * implementation runs all of it.
 */
public abstract class LedgerContract extends VerdictContract {
  protected static final Duration LEASE = Duration.ofMillis(700);

  protected LedgerContract(Function<Duration, SharedStore> stores) {
    super(stores);
  }

  @Test
  void batch_judgedTwice_isCountedOnce() throws Exception {
    Ledger ledger = bridge("one");
    Claim claim = claim(0, "ab");
    Judgement.Counted first = judge(ledger, claim);
    ledger.advance(done(claim, first));

    Judgement.Counted again = judge(ledger, claim);

    assertThat(again)
        .isEqualTo(new Judgement.Counted(first.epoch(), first.number(), first.kept(), true, null));
    assertThat(verdicts(ledger, 1, "ab")).isEqualTo("dd");
    assertThat(verdicts(ledger, 1, "ab")).isEqualTo("KK");
  }

  @Test
  void batch_withoutKeptCopies_isNeverPending() throws Exception {
    Ledger ledger = bridge("one");
    Claim kept = claim(0, "a");
    ledger.advance(done(kept, judge(ledger, kept)));

    Claim dropped = claim(1, "a");
    judge(ledger, dropped);

    assertThat(ledger.advance(NOTHING).lowestPending()).isEqualTo(Long.MAX_VALUE);
    assertThat(judge(ledger, dropped).delivered()).isTrue();
  }

  @Test
  void batch_heldByLivingBridge_isHeldElsewhere() throws Exception {
    Ledger one = bridge("one");
    Ledger two = bridge("two");
    Claim claim = claim(0, "ab");
    Judgement.Counted counted = judge(one, claim);

    assertThat(two.judge(claim)).isEqualTo(new Judgement.HeldElsewhere());
    assertThat(one.judge(claim)).isEqualTo(new Judgement.HeldElsewhere());

    one.advance(done(claim, counted));
    assertThat(judge(two, claim).delivered()).isTrue();
    assertThat(judge(two, claim).number()).isEqualTo(counted.number());
  }

  @Test
  void mixedVerdicts_judgedAgain_areTheSame() throws Exception {
    Ledger one = bridge("one");
    verdicts(one, 0, "bd");
    Claim claim = claim(1, "abcd");
    Judgement.Counted counted = judge(one, claim);
    assertThat(letters(counted.kept(), 4)).isEqualTo("KdKd");
    one.advance(done(claim, counted));

    assertThat(judge(bridge("two"), claim).kept()).isEqualTo(counted.kept());
  }

  @Test
  void horizon_showsLowestPending() throws Exception {
    Ledger ledger = bridge("one");
    Claim first = claim(0, "a");
    Claim second = claim(0, "b");
    Judgement.Counted firstCounted = judge(ledger, first);
    Judgement.Counted secondCounted = judge(ledger, second);

    assertThat(secondCounted.number()).isGreaterThan(firstCounted.number());
    assertThat(ledger.advance(NOTHING).lowestPending()).isEqualTo(firstCounted.number());
    assertThat(ledger.advance(done(first, firstCounted)).lowestPending())
        .isEqualTo(secondCounted.number());
    assertThat(ledger.advance(done(second, secondCounted)).lowestPending())
        .isEqualTo(Long.MAX_VALUE);
  }

  @Test
  void done_ofAnotherEpochOrNumber_isIgnored() throws Exception {
    Ledger ledger = bridge("one");
    Claim claim = claim(0, "a");
    Judgement.Counted counted = judge(ledger, claim);

    ledger.advance(
        new Progress(
            List.of(
                new Progress.Done(claim.batchId(), "other/1", counted.number()),
                new Progress.Done(claim.batchId(), counted.epoch(), counted.number() + 1)),
            List.of(),
            0,
            false));

    assertThat(ledger.advance(NOTHING).lowestPending()).isEqualTo(counted.number());
  }

  @Test
  void uncertainDone_closesOwnBatchOnly() throws Exception {
    Ledger one = bridge("one");
    Ledger two = bridge("two");
    Claim claim = claim(0, "a");
    Judgement.Counted counted = judge(one, claim);
    Progress uncertain =
        new Progress(List.of(Progress.Done.ofUncertain(claim.batchId())), List.of(), 0, false);

    assertThat(two.advance(uncertain).lowestPending()).isEqualTo(counted.number());
    assertThat(one.advance(uncertain).lowestPending()).isEqualTo(Long.MAX_VALUE);
  }

  @Test
  void ownPending_isListed_whereAskedFor() throws Exception {
    Ledger one = bridge("one");
    Ledger two = bridge("two");
    Claim claim = claim(0, "a");
    judge(one, claim);
    Progress list = new Progress(List.of(), List.of(), 0, true);

    assertThat(one.advance(list).ownPending()).containsExactly(claim.batchId());
    assertThat(two.advance(list).ownPending()).isEmpty();
    assertThat(one.advance(NOTHING).ownPending()).isEmpty();
  }

  @Test
  void revokedBatch_isForgottenAndLogged() throws Exception {
    Ledger one = bridge("one");
    Ledger two = bridge("two");
    verdicts(two, 1, "b");
    Claim revoked = claim(0, "abc");
    Judgement.Counted counted = judge(one, revoked);
    Claim dropping = claim(1, "ac");
    Judgement.Counted dropped = judge(two, dropping);
    assertThat(dropped.kept().isEmpty()).isTrue();

    one.advance(revoking(revoked.batchId()));
    Horizon horizon = two.advance(NOTHING);

    Revocation revocation = horizon.revocations().get(0);
    assertThat(revocation.revokedNumber()).isEqualTo(counted.number());
    assertThat(revocation.covers(dropped.number())).isTrue();
    assertThat(revocation.digests())
        .containsExactlyInAnyOrder(revoked.digests().get(0), revoked.digests().get(2));
    assertThat(horizon.oldestRevocation()).isEqualTo(revocation.number());
    assertThat(
            two.advance(new Progress(List.of(), List.of(), revocation.number(), false))
                .revocations())
        .isEmpty();
    assertThat(verdicts(two, 1, "ac")).isEqualTo("KK");
    assertThat(judge(one, revoked).number()).isGreaterThan(revocation.number());
  }

  @Test
  void revoking_anotherBridgesBatch_changesNothing() throws Exception {
    Ledger one = bridge("one");
    Ledger two = bridge("two");
    Claim claim = claim(0, "a");
    Judgement.Counted counted = judge(one, claim);

    Horizon horizon = two.advance(revoking(claim.batchId()));

    assertThat(horizon.lowestPending()).isEqualTo(counted.number());
    assertThat(horizon.revocations()).isEmpty();
  }

  @Test
  void lapsedLease_revokesWhatWasPending() throws Exception {
    Ledger dying = bridge("dying", 2, LEASE);
    Ledger living = bridge("living");
    Claim claim = claim(0, "a");
    Judgement.Counted counted = judge(dying, claim);

    await().until(() -> !living.advance(NOTHING).revocations().isEmpty());

    assertThat(living.advance(NOTHING).revocations().get(0).revokedNumber())
        .isEqualTo(counted.number());
    assertThat(dying.judge(claim)).isEqualTo(new Judgement.LeaseLapsed());
    assertThat(dying.advance(NOTHING).epoch()).isNotEqualTo(counted.epoch());
    assertThat(judge(living, claim(1, "a")).kept().get(0)).isTrue();
  }

  @Test
  void bridge_thatLeft_isRevokedByTheNextCaller() throws Exception {
    Ledger leaving = bridge("leaving");
    Ledger staying = bridge("staying");
    Claim claim = claim(0, "a");
    Judgement.Counted counted = judge(leaving, claim);

    leaving.leave();

    assertThat(staying.advance(NOTHING).revocations())
        .extracting(Revocation::revokedNumber)
        .containsExactly(counted.number());
  }

  @Test
  void bridge_withoutLease_isNotJudged() throws Exception {
    Ledger stranger = open(store, "stranger", List.of("a", "b"), LEASE);

    assertThat(stranger.judge(claim(0, "a"))).isEqualTo(new Judgement.LeaseLapsed());
  }

  @Test
  void doneAfterRevocation_leavesNoRecord() throws Exception {
    Ledger one = bridge("one");
    Claim early = claim(0, "a");
    Claim revoked = claim(0, "b");
    Judgement.Counted counted = judge(one, early);
    judge(one, revoked);
    one.advance(revoking(revoked.batchId()));

    one.advance(done(early, counted));

    assertThat(judge(one, early).delivered()).isFalse();
  }

  @Test
  void revocation_isRememberedForAsLongAsTheDropsThatItConcerns() throws Exception {
    Ledger one = bridge("one");
    Ledger two = bridge("two");
    Claim revoked = claim(0, "a");
    judge(one, revoked);
    Claim dropping = claim(1, "a");
    Judgement.Counted dropped = judge(two, dropping);
    one.advance(revoking(revoked.batchId()));

    await()
        .atMost(WINDOW.multipliedBy(5))
        .until(
            () -> {
              Judgement.Counted again = judge(two, dropping);
              if (again.number() == dropped.number()) {
                assertThat(two.advance(NOTHING).revocations())
                    .anyMatch(revocation -> revocation.covers(dropped.number()));
              }
              return again.number() > dropped.number();
            });
  }

  @Test
  void window_passed_forgetsDigestRecordAndRevocation() throws Exception {
    Ledger ledger = bridge("one");
    Claim delivered = claim(0, "a");
    Claim revoked = claim(0, "b");
    Judgement.Counted counted = judge(ledger, delivered);
    ledger.advance(done(delivered, counted));
    judge(ledger, revoked);
    ledger.advance(revoking(revoked.batchId()));

    await()
        .pollDelay(WINDOW.plus(WINDOW.dividedBy(2)))
        .atMost(WINDOW.multipliedBy(5))
        .until(() -> ledger.advance(NOTHING).oldestRevocation() == Long.MAX_VALUE);

    assertThat(verdicts(ledger, 1, "a")).isEqualTo("K");
    assertThat(judge(ledger, delivered).number()).isGreaterThan(counted.number());
  }
}
