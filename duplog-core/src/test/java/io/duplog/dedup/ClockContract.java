package io.duplog.dedup;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.duplog.dedup.memory.ExplorableStore;
import java.time.Duration;
import java.util.List;
import java.util.function.Function;
import org.junit.jupiter.api.Test;

/**
 * What every ledger promises where its clock is set: a lease lasts for a lease, whatever it says.
 */
public abstract class ClockContract extends StoreContract {
  private static final Duration WINDOW = Duration.ofHours(1);
  private static final Duration SHORT = Duration.ofSeconds(1);
  private static final Duration DAY = Duration.ofDays(1);
  private static final Claim CLAIM = new Claim("batch", 0, ExplorableStore.digestsOf("a"));

  protected ClockContract(Function<Duration, SharedStore> stores) {
    super(stores, WINDOW);
  }

  private Ledger bridge(String name, Duration lease) throws Exception {
    return bridge(name, List.of("a", "b"), lease);
  }

  private static void awaitRevoked(Ledger living, long number) {
    await()
        .untilAsserted(
            () ->
                assertThat(living.advance(NOTHING).revocations())
                    .extracting(Revocation::revokedNumber)
                    .containsExactly(number));
  }

  private static long judged(Ledger ledger) throws Exception {
    return judge(ledger, CLAIM).number();
  }

  @Test
  void clockSetBackALittle_lengthensNoLease() throws Exception {
    Ledger living = bridge("living", LASTING);
    Ledger dying = bridge("dying", SHORT);
    long number = judged(dying);

    store.pass(WINDOW.dividedBy(20).negated());

    assertThat(living.advance(NOTHING).revocations()).isEmpty();
    awaitRevoked(living, number);
  }

  @Test
  void clockSetBackFar_beginsAnotherEpoch_inWhichNobodyIsWaitedFor() throws Exception {
    Ledger living = bridge("living", LASTING);
    Ledger dying = bridge("dying", LASTING);
    String before = living.advance(NOTHING).epoch();
    judged(dying);

    store.pass(DAY.negated());

    Horizon horizon = living.advance(NOTHING);
    assertThat(horizon.epoch()).isNotEqualTo(before);
    assertThat(horizon.lowestPending()).isEqualTo(Long.MAX_VALUE);
    assertThat(living.advance(NOTHING).epoch()).isEqualTo(horizon.epoch());
    assertThat(living.judge(CLAIM)).isInstanceOf(Judgement.Counted.class);
  }

  @Test
  void clockSetForward_revokesNobody() throws Exception {
    Ledger one = bridge("one", LASTING);
    Ledger two = bridge("two", LASTING);
    String before = two.advance(NOTHING).epoch();
    long number = judged(two);

    store.pass(DAY);

    assertThat(two.judge(CLAIM)).as("a pause").isEqualTo(new Judgement.LeaseLapsed());
    assertThat(one.advance(NOTHING).revocations()).isEmpty();
    assertThat(two.judge(CLAIM)).isEqualTo(new Judgement.HeldElsewhere());
    assertThat(two.advance(NOTHING).epoch()).isEqualTo(before);
    assertThat(two.advance(NOTHING).lowestPending()).isEqualTo(number);
  }

  @Test
  void clockSetForward_lengthensNoLease() throws Exception {
    Ledger living = bridge("living", LASTING);
    Ledger dying = bridge("dying", SHORT);
    long number = judged(dying);

    store.pass(DAY);

    awaitRevoked(living, number);
  }

  @Test
  void bridge_thatLeft_staysGone_whateverTheClockSays() throws Exception {
    Ledger leaving = bridge("leaving", LASTING);
    Ledger staying = bridge("staying", LASTING);
    long number = judged(leaving);

    store.pass(DAY);
    leaving.leave();

    assertThat(staying.advance(NOTHING).revocations())
        .extracting(Revocation::revokedNumber)
        .containsExactly(number);
  }
}
