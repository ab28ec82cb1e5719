package io.duplog.dedup;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.List;
import java.util.function.Function;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Tests that a ledger remembers each digest for the whole window, and forgets it afterwards. */
abstract class WindowContract extends StoreContract {
  WindowContract(Function<Duration, SharedStore> stores) {
    super(stores);
  }

  /** Returns the generations in which the digests of a claim were first seen. */
  private static List<Long> generations(Sightings sightings, int messages) {
    return IntStream.range(0, messages).mapToObj(sightings::generation).toList();
  }

  /** Waits until the store's clock is past a generation. */
  private void pass(Ledger ledger, long generation) {
    await().until(() -> judge(ledger, claim(0, "~")).sightings().now() > generation);
  }

  @Test
  void sightings_tellWhenADigestWasFirstSeen() throws Exception {
    Ledger ledger = bridge("one");
    Sightings first = judge(ledger, claim(0, "aab")).sightings();
    pass(ledger, first.now());
    Sightings second = judge(ledger, claim(1, "zaabb")).sightings();

    assertThat(generations(first, 3)).containsOnly(first.now());
    assertThat(generations(second, 5))
        .containsExactly(second.now(), first.now(), first.now(), first.now(), second.now());
    assertThat(second.now()).isGreaterThan(first.now());
  }

  @Test
  void entries_ofEveryGeneration_areMatched_andRepeatsWithinThem() throws Exception {
    Ledger ledger = open(stores.apply(WINDOW.multipliedBy(4)), "one", List.of("a", "b"), LASTING);
    ledger.advance(NOTHING);
    long began = judge(ledger, claim(0, "a")).sightings().now();
    for (int age = 1; age <= 10; age++) {
      pass(ledger, began + age - 1);
      verdicts(ledger, 0, Character.toString('a' + age).repeat(2));
    }

    assertThat(verdicts(ledger, 1, "kjihgfedcbakjihgfedcb")).isEqualTo("d".repeat(21));
    assertThat(verdicts(ledger, 1, "kjihgfedcba")).isEqualTo("K".repeat(11));
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
    ledger.advance(done(delivered.batchId(), counted));
    judge(ledger, revoked);
    ledger.advance(revoking(revoked.batchId()));

    await()
        .pollDelay(WINDOW.plus(WINDOW.dividedBy(2)))
        .atMost(WINDOW.multipliedBy(5))
        .until(() -> ledger.advance(NOTHING).oldestRevocation() == Long.MAX_VALUE);

    assertThat(verdicts(ledger, 1, "a")).isEqualTo("K");
    assertThat(judge(ledger, delivered).number()).isGreaterThan(counted.number());
  }

  @Test
  void slotOfARemovedStream_isFreeAfterTwoWindows() throws Exception {
    LedgerHistory bridges = new LedgerHistory(this, stores.apply(Duration.ofSeconds(3)));
    bridges.take("first=abcdefgh");
    bridges.take("-h");
    bridges.take("second=abcdefgi:refused");

    await()
        .ignoreExceptions()
        .untilAsserted(
            () -> {
              bridges.take("first.epoch=same");
              bridges.take("second.epoch=same");
            });

    bridges.take("first.h:x=K"); // of a stream that has no slot
    bridges.take("first.a:x=K"); // so that was not counted
  }
}
