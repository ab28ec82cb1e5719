package io.duplog.dedup;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What every ledger promises. Each implementation runs all of it. */
abstract class LedgerContract {
  static final Duration WINDOW = Duration.ofSeconds(4);
  static final Duration LEASE = Duration.ofMillis(700);
  private static final Progress NOTHING = new Progress(List.of(), List.of(), 0, false);

  private final List<Ledger> opened = new ArrayList<>();
  private int batches;

  /** A bridge's view of one shared state, which is empty when the test begins. */
  abstract Ledger open(String bridge, int streams, Duration lease);

  @AfterEach
  void closeAll() {
    opened.forEach(Ledger::close);
  }

  private Ledger bridge(String name) throws Exception {
    return bridge(name, 2, Duration.ofMinutes(1));
  }

  private Ledger bridge(String name, int streams, Duration lease) throws Exception {
    Ledger ledger = open(name, streams, lease);
    opened.add(ledger);
    ledger.advance(NOTHING);
    return ledger;
  }

  private Claim claim(int stream, String messages) {
    return new Claim("batch-" + batches++, stream, ExplorableStore.digestsOf(messages));
  }

  private static Judgement.Counted judge(Ledger ledger, Claim claim) throws Exception {
    Judgement judgement = ledger.judge(claim);
    assertThat(judgement).isInstanceOf(Judgement.Counted.class);
    return (Judgement.Counted) judgement;
  }

  private String verdicts(Ledger ledger, int stream, String messages) throws Exception {
    return letters(judge(ledger, claim(stream, messages)).kept(), messages.length());
  }

  private static String letters(BitSet kept, int count) {
    StringBuilder letters = new StringBuilder();
    for (int i = 0; i < count; i++) {
      letters.append(kept.get(i) ? 'K' : 'd');
    }
    return letters.toString();
  }

  private static Progress done(Claim claim, Judgement.Counted counted) {
    return new Progress(
        List.of(new Progress.Done(claim.batchId(), counted.epoch(), counted.number())),
        List.of(),
        0,
        false);
  }

  @Test
  void copies_acrossStreams_areDropped() throws Exception {
    Ledger ledger = bridge("one");

    assertThat(verdicts(ledger, 0, "abc")).isEqualTo("KKK");
    assertThat(verdicts(ledger, 1, "bca")).isEqualTo("ddd");
  }

  @Test
  void copies_withinOneStream_areKept() throws Exception {
    Ledger ledger = bridge("one");

    assertThat(verdicts(ledger, 0, "aaaaa")).isEqualTo("KKKKK");
    assertThat(verdicts(ledger, 1, "aaa")).isEqualTo("ddd");
    assertThat(verdicts(ledger, 1, "aaa")).isEqualTo("ddK");
  }

  @Test
  void batchOfThousands_withRepeatsFarApart_isJudgedMessageByMessage() throws Exception {
    Ledger ledger = bridge("one");
    StringBuilder messages = new StringBuilder();
    for (int i = 0; i < 2_500; i++) {
      messages.append((char) (i % 250));
    }
    String many = messages.toString();

    assertThat(verdicts(ledger, 0, many)).isEqualTo("K".repeat(2_500));
    assertThat(verdicts(ledger, 1, many)).isEqualTo("d".repeat(2_500));
    assertThat(verdicts(ledger, 1, many.substring(0, 2))).isEqualTo("KK");
    assertThat(verdicts(ledger, 0, many.substring(0, 1).repeat(2))).isEqualTo("dK");
  }

  @Test
  void randomCopies_ofManyStreams_areKeptAsOftenAsOnTheFullestStream() throws Exception {
    Random random = new Random(20_130_401);
    for (int streams = 2; streams <= 4; streams++) {
      Ledger ledger = bridge("bridge-of-" + streams, streams, Duration.ofMillis(1200));
      Map<Character, int[]> published = new HashMap<>();
      Map<Character, Integer> kept = new HashMap<>();
      for (int round = 0; round < 60; round++) {
        int stream = random.nextInt(streams);
        StringBuilder messages = new StringBuilder();
        for (int i = 0; i <= random.nextInt(6); i++) {
          char message = (char) ('a' + random.nextInt(4));
          messages.append(message);
        }
        String verdicts = verdicts(ledger, stream, messages.toString());
        for (int i = 0; i < messages.length(); i++) {
          int streamCount = streams;
          published.computeIfAbsent(messages.charAt(i), c -> new int[streamCount])[stream]++;
          if (verdicts.charAt(i) == 'K') {
            kept.merge(messages.charAt(i), 1, Integer::sum);
          }
        }
      }
      published.forEach(
          (message, counts) ->
              assertThat(kept.get(message)).isEqualTo(Arrays.stream(counts).max().getAsInt()));
      ledger.leave();
      forgetStreams();
    }
  }

  /** Makes room for another number of streams. */
  abstract void forgetStreams();

  @Test
  void sightings_tellWhenADigestWasFirstSeen() throws Exception {
    Ledger ledger = bridge("one");
    Sightings first = requireNonNull(judge(ledger, claim(0, "aab")).sightings());
    assertThat(first.generation(0)).isEqualTo(first.now());
    assertThat(first.generation(1)).isEqualTo(first.now());

    Sightings later = sightingsOfLaterGeneration(ledger, first.now());
    assertThat(later.now()).isGreaterThan(first.now());
    Sightings second = requireNonNull(judge(ledger, claim(1, "zaabb")).sightings());

    assertThat(second.generation(0)).isEqualTo(second.now());
    assertThat(second.generation(1)).isEqualTo(first.generation(0));
    assertThat(second.generation(2)).isEqualTo(first.generation(0));
    assertThat(second.generation(3)).isEqualTo(first.generation(0));
    assertThat(second.generation(4)).isEqualTo(second.now());
  }

  private Sightings sightingsOfLaterGeneration(Ledger ledger, long generation) {
    return await()
        .until(
            () -> requireNonNull(judge(ledger, claim(0, "~")).sightings()),
            sightings -> sightings.now() > generation);
  }

  @Test
  void entries_ofEveryGeneration_areMatched_andRepeatsWithinThem() throws Exception {
    Ledger ledger = bridge("one");
    long began = requireNonNull(judge(ledger, claim(0, "a")).sightings()).now();
    for (int age = 1; age <= 10; age++) {
      sightingsOfLaterGeneration(ledger, began + age - 1);
      verdicts(ledger, 0, String.valueOf((char) ('a' + age)).repeat(2));
    }

    assertThat(verdicts(ledger, 1, "kjihgfedcbakjihgfedcb")).isEqualTo("d".repeat(21));
    assertThat(verdicts(ledger, 1, "kjihgfedcba")).isEqualTo("K".repeat(11));
  }

  @Test
  void differences_ofHundredsAndThousands_areRemembered() throws Exception {
    Ledger ledger = bridge("three", 3, Duration.ofMinutes(1));

    verdicts(ledger, 0, "a".repeat(255));
    assertThat(verdicts(ledger, 1, "a".repeat(254))).isEqualTo("d".repeat(254));
    verdicts(ledger, 0, "a".repeat(1745));
    assertThat(verdicts(ledger, 2, "a".repeat(2000))).isEqualTo("d".repeat(2000));
    assertThat(verdicts(ledger, 1, "a".repeat(1746))).isEqualTo("d".repeat(1746));
    assertThat(verdicts(ledger, 1, "a")).isEqualTo("K");
  }

  @Test
  void batch_countedEarlier_hasNoSightings() throws Exception {
    Ledger ledger = bridge("one");
    Claim claim = claim(0, "a");
    Judgement.Counted first = judge(ledger, claim);
    ledger.advance(done(claim, first));

    assertThat(judge(ledger, claim).sightings()).isNull();
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

    one.advance(new Progress(List.of(), List.of(revoked.batchId()), 0, false));
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

    Horizon horizon = two.advance(new Progress(List.of(), List.of(claim.batchId()), 0, false));

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
    Ledger stranger = open("stranger", 2, LEASE);
    opened.add(stranger);

    assertThat(stranger.judge(claim(0, "a"))).isEqualTo(new Judgement.LeaseLapsed());
  }

  @Test
  void doneAfterRevocation_leavesNoRecord() throws Exception {
    Ledger one = bridge("one");
    Claim early = claim(0, "a");
    Claim revoked = claim(0, "b");
    Judgement.Counted counted = judge(one, early);
    judge(one, revoked);
    one.advance(new Progress(List.of(), List.of(revoked.batchId()), 0, false));

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
    one.advance(new Progress(List.of(), List.of(revoked.batchId()), 0, false));

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
    ledger.advance(new Progress(List.of(), List.of(revoked.batchId()), 0, false));

    await()
        .pollDelay(WINDOW.plus(WINDOW.dividedBy(2)))
        .atMost(WINDOW.multipliedBy(5))
        .until(() -> ledger.advance(NOTHING).oldestRevocation() == Long.MAX_VALUE);

    assertThat(verdicts(ledger, 1, "a")).isEqualTo("K");
    assertThat(judge(ledger, delivered).number()).isGreaterThan(counted.number());
  }
}
