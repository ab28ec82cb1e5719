package io.duplog.dedup;

import static java.util.stream.Collectors.joining;
import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.function.Function;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Tests that a ledger keeps and drops the right copies, whatever happens to batches, bridges and
 * streams. Each kind of ledger runs these tests. Most tests run a {@link LedgerHistory}.
 */
public abstract class LedgerContract extends WindowContract {
  protected LedgerContract(Function<Duration, SharedStore> stores) {
    super(stores);
  }

  private void happens(String history) throws Exception {
    LedgerHistory bridges = new LedgerHistory(this, stores.apply(Duration.ofHours(1)));
    for (String step : history.split(" ", -1)) {
      bridges.take(step);
    }
  }

  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          copies on other streams are dropped | one=ab one.a:abc=KKK one.b:bca=ddd
          repeats on one stream are kept      | one=ab one.a:aaaaa=KKKKK one.b:aaa=ddd one.b:aaa=ddK
          differences of thousands are kept   | one=abc one.a:x255=K255 one.b:x254=d254 one.a:x1745=K1745 one.c:x2000=d2000 one.b:x1746=d1746 one.b:x=K
          a batch judged twice counts once    | one=ab one.a:X/ab=KK one.done:X one.a:X/ab=KK* one.b:ab=dd one.b:ab=KK
          mixed verdicts stay as they are     | one=ab one.a:bd=KK one.b:X/abcd=KdKd one.done:X two=ab two.b:X/abcd=KdKd*
          dropped copies are never pending    | one=ab one.a:X/a=K one.done:X one.b:Y/a=d one.lowest=- one.b:Y/a=d*
          a pending batch is held elsewhere   | one=ab two=ab one.a:X/ab=KK two.a:X/ab=elsewhere one.a:X/ab=elsewhere one.done:X two.a:X/ab=KK*
          the lowest pending batch is told    | one=ab one.a:X/a=K one.a:Y/b=K one.lowest=X one.done:X one.lowest=Y one.done:Y one.lowest=-
          an uncertain end concerns own ones  | one=ab two=ab one.a:X/a=K two.uncertain:X one.lowest=X one.uncertain:X one.lowest=-
          own pending batches are listed      | one=ab two=ab one.a:X/a=K one.own=X two.own=-
          the batch of another is not revoked | one=ab two=ab one.a:X/a=K two.revoke:X two.lowest=X two.revoked=-
          done since a revocation: no record  | one=ab one.a:X/a=K one.a:Y/b=K one.revoke:Y one.done:X one.a:X/a=K
          """)
  void batch_isCountedOnce_andPendingUntilItIsDone(String name, String history) throws Exception {
    happens(history);
  }

  /** A lease lasts for its full duration, whatever the clock says. */
  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          nobody has a lease after a flush | one=ab flush one.a:a=lapsed one.epoch=new one.a:a=K
          the batch of a dead one: revoked | dying=ab:briefly living=ab dying.a:X/a=K living.revoked=X dying.a:X/a=lapsed dying.epoch=new living.b:a=K
          one that left is revoked at once | leaving=ab staying=ab leaving.a:X/a=K leaving.leaves staying.revoked=X
          though the clock was set forward | leaving=ab staying=ab leaving.a:X/a=K clock:P1D leaving.leaves staying.revoked=X
          back a little lengthens no lease | living=ab dying=ab:briefly dying.a:X/a=K clock:PT-3M living.revoked=- living.revoked=X
          forward lengthens no lease       | living=ab dying=ab:briefly dying.a:X/a=K clock:P1D living.revoked=X
          forward revokes nobody           | one=ab two=ab two.a:X/a=K clock:P1D two.a:X/a=lapsed one.revoked=- two.a:X/a=elsewhere two.epoch=same two.lowest=X
          back far begins another epoch    | living=ab dying=ab dying.a:X/a=K clock:P-1D living.epoch=new living.lowest=- living.epoch=same living.a:X/a=K
          """)
  void bridge_holdsWhatItHasPending_forAsLongAsItLives(String name, String history)
      throws Exception {
    happens(history);
  }

  /**
   * While bridges run, a change loses nothing, and only what a new stream brings late is kept
   * twice. Stream a sorts before the others: its place in a bridge's own order is not its slot.
   */
  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          one bridge adds a stream    | old=bc old.b:xy=KK new=abc new.c:x=d new.a:xyz=ddK old.c:y=d old.b:z=d old.c:z=d #0
          repeats of one stream       | old=bc old.c:x=K new=abc new.c:x=K old.c:x=K new.b:x4=dddK
          a new stream is waited for  | old=bc new=abc old.b:x=K old.c:x=d #1 new.a:x=d #0
          a bridge reads fewer        | all=abc fewer=bc fewer.c:x=K all.a:x=d fewer.b:x=d #0
          what was removed counts     | all=abc all.a:xy=KK all.b:y=d -a all.b:xz=dK all.c:xyz=ddd #0 all.b:x=K all.epoch=same
          what was removed brings     | all=abc -a all.epoch=same all.a:x=K all.b:x=d new=abc new.a:x=K new.b:xx=dK new.c:xxx=ddd
          only who begins adds it     | all=abc -a all.epoch=same all.b:x=K all.c:x=d #0 new=abc all.b:y=K all.c:y=d #1 new.a:y=d #0
          who reads others is refused | pair=bc other=bd:refused pair.leaves other.epoch=new
          so is who has an older list | all=abc -a all.epoch=same new=bcd old=abc:refused
          """)
  void streams_comeAndGo(String name, String history) throws Exception {
    happens(history);
  }

  /**
   * Bridges of two deployments never count together, whoever begins first. A bridge whose broker
   * was rebuilt continues, and one that begins after another deployment has ended forgets what that
   * counted.
   */
  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          bridges of one deployment        | one@aA,bB two@aA,bB one=ab two=ab one.a:x=K two.b:x=d one.epoch=same
          another deployment is refused    | one@aA,bB two@aC,bD one=ab two=ab:foreign one.a:x=K one.b:x=d two.epoch=foreign two.a:x=lapsed
          also where one broker is common  | one@aA,bB two@aA,bD one=ab two=ab:foreign one.epoch=same
          also where names are exchanged   | one@aA,bB two@aB,bA one=ab two=ab:foreign one.epoch=same
          also one with streams of its own | one@aA,bB two@aC,bD,cE one=ab two=abc:foreign one.epoch=same
          also one that knows one broker   | one@aA two@bD one=ab two=ab:foreign two@aA,bD two.epoch=same one@aA,bD one.epoch=same
          also while the others lost theirs| one@aA,bB two@aC,bD one=ab one@-aA,-bB one.epoch=same two=ab:foreign one@aA,bB one.epoch=same
          it takes over when they are gone | one@aA,bB two@aC,bD one=ab one.a:X/x=K one.done:X two=ab:foreign one.leaves two.epoch=new two.b:x=K one.epoch=foreign
          a trial that is over is forgotten| trial@aC,bD trial=ab trial.a:X/x=K trial.done:X trial.leaves one@aA,bB one=ab:afresh one.b:x=K
          the same one goes on later       | one@aA,bB one=ab one.a:X/x=K one.done:X one.leaves two@aA,bB two=ab two.b:x=d
          a broker that was rebuilt        | one@aA,bB two@aA,bB one=ab two=ab one.b:x=K one@-aA,bB one.epoch=same two@-aA,bB two.epoch=same one@aC,bB one.epoch=same one.a:x=d two@aC,bB two.epoch=same two.a:y=K one.b:y=d
          seen by one while another hangs  | one@aA,bB two@aA,bB one=ab two=ab one@aC,bB one.epoch=foreign two@aC,bB two.epoch=same one.epoch=same
          all brokers, one after another   | one@aA,bB one=ab one.a:x=K one@aC,-bB one.epoch=same one@aC,bD one.epoch=same one.b:x=d
          all brokers, while nobody lives  | one@aA,bB one=ab one.a:X/x=K one.done:X one.leaves two@aC,bD two=ab:afresh two.b:x=K
          a bridge that knows none yet     | one@aA,bB two@-aA one=ab two=ab one.a:x=K two@aA,bB two.epoch=same two.b:x=d
          bridges of the version before    | old=ab one@aA,bB one=ab old.a:x=K one.b:x=d
          nothing is known after a flush   | one@aA,bB two@aC,bD one=ab flush two=ab:afresh one.epoch=foreign
          """)
  void deployments_neverCountTogether(String name, String history) throws Exception {
    happens(history);
  }

  @Test
  void eightStreams_areMerged_andNotNine() throws Exception {
    happens(
        "two=ab eight=abcdefgh nine=abcdefghi:refused eight.h:x300=K300 two.a:x300=d300"
            + " eight.g:x299=d299 eight.b:x300=d300 eight.c:x300=d300 eight.d:x300=d300"
            + " eight.e:x300=d300 eight.f:x300=d300 eight.g:xx=dK #1");
  }

  @Test
  void batchOfThousands_withRepeatsFarApart_isJudgedMessageByMessage() throws Exception {
    Ledger ledger = bridge("one");
    String some = IntStream.range(0, 250).mapToObj(Character::toString).collect(joining());

    assertThat(verdicts(ledger, 0, some.repeat(10))).isEqualTo("K".repeat(2_500));
    assertThat(verdicts(ledger, 1, some.repeat(10))).isEqualTo("d".repeat(2_500));
    assertThat(verdicts(ledger, 1, some.substring(0, 2))).isEqualTo("KK");
    assertThat(verdicts(ledger, 0, some.substring(0, 1).repeat(2))).isEqualTo("dK");
  }

  @Test
  void randomCopies_ofManyStreams_areKeptAsOftenAsOnTheFullestStream() throws Exception {
    Random random = new Random(20_130_401);
    for (int streams = 2; streams <= 4; streams++) {
      List<String> names = List.of("a", "b", "c", "d").subList(0, streams);
      Ledger ledger = bridge("bridge-of-" + streams, names, LASTING);
      int[][] published = new int[4][streams];
      int[] kept = new int[4];
      for (int round = 0; round < 60; round++) {
        int stream = random.nextInt(streams);
        int[] messages = random.ints(1 + random.nextInt(6), 0, 4).toArray();
        String text = Arrays.stream(messages).mapToObj(Character::toString).collect(joining());
        String verdicts = verdicts(ledger, stream, text);
        for (int i = 0; i < messages.length; i++) {
          published[messages[i]][stream]++;
          kept[messages[i]] += verdicts.charAt(i) == 'K' ? 1 : 0;
        }
      }
      assertThat(kept)
          .isEqualTo(
              Arrays.stream(published)
                  .mapToInt(by -> Arrays.stream(by).max().getAsInt())
                  .toArray());
      store.forgetAll(); // of its streams, too
    }
  }

  @Test
  void done_ofAnotherEpochOrNumber_isIgnored() throws Exception {
    Ledger ledger = bridge("one");
    Claim claim = claim(0, "a");
    Judgement.Counted counted = judge(ledger, claim);

    ledger.advance(
        done(
            new Progress.Done(claim.batchId(), new Epoch("other", 1), counted.number()),
            new Progress.Done(claim.batchId(), counted.epoch(), counted.number() + 1)));

    assertThat(ledger.advance(NOTHING).lowestPending()).isEqualTo(counted.number());
  }

  @Test
  void manyRevocations_areListedAMebibyteAtATime_oldestFirst() throws Exception {
    Ledger one = bridge("one");
    List<Long> all = new ArrayList<>();
    for (int batch = 0; batch < 5; batch++) {
      Claim revoked = new Claim("large-" + batch, 0, digests(batch, 30_000));
      all.add(judge(one, revoked).number());
      one.advance(revoking(revoked.batchId()));
    }
    Ledger another = open(store, "another", List.of("a", "b"), LASTING);
    List<Long> listed = new ArrayList<>();
    List<Boolean> more = new ArrayList<>();
    long after = 0;
    for (int call = 0; call < 2; call++) {
      Horizon horizon = another.advance(new Progress(List.of(), List.of(), after, false));
      for (Revocation each : horizon.revocations()) {
        assertThat(each.digests().count()).isEqualTo(30_000);
        listed.add(each.revokedNumber());
        after = each.number();
      }
      more.add(horizon.moreRevocations());
    }

    assertThat(listed).isEqualTo(all);
    assertThat(more).containsExactly(true, false);
  }

  private static Digests digests(int batch, int count) {
    List<Digest> digests = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      digests.add(new Digest(batch, i));
    }
    return Digests.of(digests);
  }

  @Test
  void revokedBatch_isForgottenAndLogged() throws Exception {
    Ledger one = bridge("one");
    Ledger two = bridge("two");
    verdicts(two, 1, "b");
    Claim revoked = claim(0, "abc");
    long number = judge(one, revoked).number();
    assertThat(verdicts(two, 1, "ac")).isEqualTo("dd");

    one.advance(revoking(revoked.batchId()));

    Horizon horizon = two.advance(NOTHING);
    long own = number + 2; // it concerns the batch between the two
    Digests kept = Digests.of(List.of(revoked.digests().get(0), revoked.digests().get(2)));
    assertThat(horizon.revocations())
        .extracting(Revocation::toString)
        .containsExactly(new Revocation(number, own, kept).toString());
    assertThat(horizon.moreRevocations()).isFalse();
    assertThat(horizon.oldestRevocation()).isEqualTo(own);
    assertThat(two.advance(new Progress(List.of(), List.of(), own, false)).revocations()).isEmpty();
    assertThat(verdicts(two, 1, "ac")).isEqualTo("KK");
    assertThat(judge(one, revoked).number()).isGreaterThan(own);
  }
}
