package io.duplog.dedup;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.duplog.dedup.memory.ExplorableStore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/**
 * What every ledger promises where its clock is set: a lease lasts for a lease, whatever it says.
 */
public abstract class ClockContract {
  public static final Duration WINDOW = Duration.ofHours(1);
  private static final Duration SHORT = Duration.ofSeconds(1);
  private static final Duration LONG = Duration.ofMinutes(1);
  private static final Duration DAY = Duration.ofDays(1);
  private static final Progress NOTHING = new Progress(List.of(), List.of(), 0, false);
  private static final Claim CLAIM = new Claim("batch", 0, ExplorableStore.digestsOf("a"));

  private final List<Ledger> opened = new ArrayList<>();

  /** A bridge's view of one shared state, which is empty when the test begins. */
  public abstract Ledger open(String bridge, Duration lease);

  /** Sets the clock forward, or back. */
  public abstract void setClock(Duration by) throws Exception;

  @AfterEach
  void closeAll() {
    opened.forEach(Ledger::close);
  }

  private Ledger bridge(String name, Duration lease) throws Exception {
    Ledger ledger = open(name, lease);
    opened.add(ledger);
    ledger.advance(NOTHING);
    return ledger;
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
    return ((Judgement.Counted) ledger.judge(CLAIM)).number();
  }

  @Test
  void clockSetBackALittle_lengthensNoLease() throws Exception {
    Ledger living = bridge("living", LONG);
    Ledger dying = bridge("dying", SHORT);
    long number = judged(dying);

    setClock(WINDOW.dividedBy(20).negated());

    assertThat(living.advance(NOTHING).revocations()).isEmpty();
    awaitRevoked(living, number);
  }

  @Test
  void clockSetBackFar_beginsAnotherEpoch_inWhichNobodyIsWaitedFor() throws Exception {
    Ledger living = bridge("living", LONG);
    Ledger dying = bridge("dying", LONG);
    String before = living.advance(NOTHING).epoch();
    judged(dying);

    setClock(DAY.negated());

    Horizon horizon = living.advance(NOTHING);
    assertThat(horizon.epoch()).isNotEqualTo(before);
    assertThat(horizon.lowestPending()).isEqualTo(Long.MAX_VALUE);
    assertThat(living.advance(NOTHING).epoch()).isEqualTo(horizon.epoch());
    assertThat(living.judge(CLAIM)).isInstanceOf(Judgement.Counted.class);
  }

  @Test
  void clockSetForward_revokesNobody() throws Exception {
    Ledger one = bridge("one", LONG);
    Ledger two = bridge("two", LONG);
    String before = two.advance(NOTHING).epoch();
    long number = judged(two);

    setClock(DAY);

    assertThat(two.judge(CLAIM)).as("a pause").isEqualTo(new Judgement.LeaseLapsed());
    assertThat(one.advance(NOTHING).revocations()).isEmpty();
    assertThat(two.judge(CLAIM)).isEqualTo(new Judgement.HeldElsewhere());
    assertThat(two.advance(NOTHING).epoch()).isEqualTo(before);
    assertThat(two.advance(NOTHING).lowestPending()).isEqualTo(number);
  }

  @Test
  void clockSetForward_lengthensNoLease() throws Exception {
    Ledger living = bridge("living", LONG);
    Ledger dying = bridge("dying", SHORT);
    long number = judged(dying);

    setClock(DAY);

    awaitRevoked(living, number);
  }

  @Test
  void bridge_thatLeft_staysGone_whateverTheClockSays() throws Exception {
    Ledger leaving = bridge("leaving", LONG);
    Ledger staying = bridge("staying", LONG);
    long number = judged(leaving);

    setClock(DAY);
    leaving.leave();

    assertThat(staying.advance(NOTHING).revocations())
        .extracting(Revocation::revokedNumber)
        .containsExactly(number);
  }
}
