package io.duplog.dedup;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * Tests that a store adds up the counts of all bridges without losing or doubling any. Each kind of
 * store runs these tests.
 */
public abstract class TalliesContract extends StoreContract {
  protected static final List<String> STREAMS = List.of("stream-a", "stream-b");
  private static final Duration PERIOD = Duration.ofSeconds(1000);
  private static final Duration SHORT = Duration.ofMillis(300);

  private Tallies one;
  private String era;
  private long number;

  protected TalliesContract(Function<Duration, SharedStore> stores) {
    super(stores);
  }

  @BeforeEach
  public void begin() throws Exception {
    one = tallies("one", LASTING);
    era = one.update(nothing()).era();
  }

  private Tallies tallies(String name, Duration lease) throws Exception {
    return bridge(name, STREAMS, lease).tallies(PERIOD);
  }

  private Tallies.Update nothing() {
    return standing(0, false, 0);
  }

  private Tallies.Update standing(long until, boolean leaving, long volume) {
    return new Tallies.Update(STREAMS, ++number, until, leaving, volume, Tallies.OwnCounts.NOTHING);
  }

  private Tallies.Update counts(long period, String text) {
    return counts(tokenOf(era), ++number, period, 1, 0, text);
  }

  /** Returns a bridge's counts of a period. */
  protected static Tallies.Update counts(
      String token, long number, long period, long unwritten, long doubtful, String text) {
    return new Tallies.Update(
        STREAMS,
        number,
        0,
        false,
        0,
        new Tallies.OwnCounts(token, period, unwritten, doubtful, text));
  }

  /** Returns the token of the epoch to which an era belongs. */
  protected static String tokenOf(String era) {
    return era.substring(0, era.lastIndexOf('.'));
  }

  private Tallies.Settlement settlement(
      long settled, long period, String summary, long hour, String hourSummary) {
    return new Tallies.Settlement(
        era,
        settled,
        new Tallies.Remembered(period, summary, period - 1),
        new Tallies.Remembered(hour, hourSummary, hour - 1));
  }

  /** Returns a period that has not come yet, so that doubts fall elsewhere. */
  private long period(long later) throws Exception {
    return one.update(nothing()).nowMillis() / PERIOD.toMillis() + 10 + later;
  }

  /** Returns what the bridges have written of a period, each by its name without its process. */
  private static String fields(Tallies tallies, long period) throws Exception {
    Map<String, String> fields = new TreeMap<>();
    tallies.read(period).forEach((field, text) -> fields.put(field.replaceAll("#.*", ""), text));
    return fields.toString();
  }

  /** Returns the doubt of the present period and of the one before, which may have just ended. */
  private long doubtfulNow() throws Exception {
    long present = one.update(nothing()).nowMillis() / PERIOD.toMillis();
    return doubtful(present - 1) + doubtful(present);
  }

  private long doubtful(long period) throws Exception {
    return one.read(period).entrySet().stream()
        .filter(field -> field.getKey().startsWith(Tallies.DOUBTFUL))
        .mapToLong(field -> Long.parseLong(field.getValue()))
        .sum();
  }

  @Test
  void counts_ofEachBridge_areKeptApart() throws Exception {
    Tallies two = tallies("two", LASTING);
    long period = period(0);
    one.update(counts(period, "of one"));
    two.update(counts(period, "of two"));

    assertThat(fields(two, period)).isEqualTo("{=one=of one, =two=of two}");
    assertThat(one.update(nothing()).oldest()).isEqualTo(period);
    assertThat(one.read(period + 1)).isEmpty();
  }

  @Test
  void counts_replaceWhatTheSameBridgeWroteBefore() throws Exception {
    long period = period(0);
    one.update(counts(tokenOf(era), ++number, period, 3, 2, "some"));
    one.update(counts(tokenOf(era), ++number, period, 3, 2, "some"));
    one.update(counts(tokenOf(era), ++number, period, 7, 4, "more"));

    assertThat(fields(one, period)).isEqualTo("{=one=more, ?one=4}");
  }

  @Test
  void call_thatArrivesAfterALaterOne_changesNothing() throws Exception {
    long period = period(0);
    Tallies.Update late = counts(period, "some");
    Tallies.Update lateFarewell = standing(100, true, 0);
    one.update(counts(period, "more"));
    one.update(standing(100, false, 0));
    one.update(late);
    one.update(lateFarewell);

    assertThat(fields(one, period)).isEqualTo("{=one=more}");
    assertThat(tallies("two", LASTING).update(standing(500, false, 0)).countedUntil())
        .isEqualTo(100);
  }

  @Test
  void digests_thatAreForgottenTooSoon_areTold_untilTheyWouldHaveBeenForgotten() throws Exception {
    Ledger ledger = bridge("judge", STREAMS, LASTING);
    long before = one.update(nothing()).nowMillis();
    judge(ledger, claim(0, "ab"));
    ledger.advance(NOTHING);
    assertThat(one.forgotten()).isEqualTo(Tallies.Forgotten.NOTHING);

    store.forgetDigests();
    ledger.advance(NOTHING);

    Tallies.Forgotten forgotten = one.forgotten();
    assertThat(forgotten.concerns(before, before + 1)).as("the present").isTrue();
    assertThat(forgotten.concerns(before - 60_000, before - 30_000)).as("long ago").isFalse();
    long window = WINDOW.toMillis();
    assertThat(forgotten.untilMillis()).isBetween(before + window, before + 2 * window);
    store.forgetAll();
    ledger.advance(NOTHING);
    assertThat(one.forgotten()).as("in another epoch").isEqualTo(Tallies.Forgotten.NOTHING);
  }

  @Test
  void digests_thatAreForgottenAgainAndAgain_areToldAsOneStretch() throws Exception {
    Ledger ledger = bridge("judge", STREAMS, LASTING);
    judge(ledger, claim(0, "ab"));
    store.forgetDigests();
    judge(ledger, claim(0, "cd")); // makes the hash again, before anybody has missed it
    Tallies.Forgotten first = one.forgotten();
    await().until(() -> one.update(nothing()).nowMillis() >= first.untilMillis());
    judge(ledger, claim(0, "ef"));
    store.forgetDigests();
    ledger.advance(NOTHING);

    assertThat(one.forgotten().fromMillis()).isEqualTo(first.fromMillis());
    assertThat(one.forgotten().untilMillis()).isGreaterThan(first.untilMillis());
  }

  @Test
  void counts_ofAnotherEpoch_areNotWritten() throws Exception {
    long period = period(0);
    one.update(counts("other", ++number, period, 3, 0, "text"));

    assertThat(one.read(period)).isEmpty();
    assertThat(one.update(nothing()).oldest()).isEqualTo(Tallies.NO_PERIOD);
  }

  @Test
  void comparison_beginsAnew_whereAStreamIsAdded() throws Exception {
    long period = period(0);
    one.update(counts(period, "text"));
    one.settle(settlement(Tallies.NO_PERIOD, period, "first", 7, "hour 7"));
    one.update(counts(period + 1, "text"));
    String before = era;

    Tallies two =
        bridge("two", List.of("stream-a", "stream-b", "stream-c"), LASTING).tallies(PERIOD);
    Tallies.State added = two.update(nothing());

    assertThat(added.streams()).containsExactly("stream-a", "stream-b", "stream-c");
    assertThat(added.era()).isNotEqualTo(before);
    assertThat(added.settled()).isEqualTo(Tallies.NO_PERIOD);
    assertThat(one.history(Tallies.NO_PERIOD)).isEmpty();
    assertThat(one.hours()).isEmpty();
    one.update(counts(period + 1, "text"));
    assertThat(one.read(period + 1)).as("by other streams").isEmpty();
    one.settle(settlement(Tallies.NO_PERIOD, period + 1, "late", 7, ""));
    assertThat(one.history(Tallies.NO_PERIOD)).as("read before").isEmpty();
  }

  @Test
  void settlement_isDoneByTheFirst_andRemembered() throws Exception {
    long period = period(0);
    one.update(counts(period, "text"));
    one.settle(settlement(Tallies.NO_PERIOD, period, "first", 7, "hour 7"));
    one.settle(settlement(Tallies.NO_PERIOD, period, "second", 7, "again"));

    Tallies.State added = one.update(nothing());
    assertThat(added.settled()).isEqualTo(period);
    assertThat(added.oldest()).isEqualTo(Tallies.NO_PERIOD);
    assertThat(one.read(period)).isEmpty();
    assertThat(one.history(Tallies.NO_PERIOD)).containsExactly("first");
    assertThat(one.history(period)).isEmpty();
    assertThat(one.hours()).containsExactly("hour 7");

    for (int i = 1; i <= 3; i++) {
      one.update(counts(period + i, "text"));
      one.settle(
          settlement(period + i - 1, period + i, "settled " + i, 7 + i, i == 2 ? "" : "hour " + i));
    }
    assertThat(one.history(Tallies.NO_PERIOD)).containsExactly("settled 2", "settled 3");
    assertThat(one.hours()).containsExactly("hour 3");
  }

  @Test
  void counts_ofASettledPeriod_becomeADoubt() throws Exception {
    long period = one.update(nothing()).nowMillis() / PERIOD.toMillis() - 1;
    one.update(counts(period, "text"));
    one.settle(settlement(Tallies.NO_PERIOD, period, "first", 7, ""));

    one.update(counts(tokenOf(era), ++number, period, 5, 0, "more"));

    assertThat(one.read(period)).isEmpty();
    assertThat(doubtfulNow()).isEqualTo(5);
  }

  @Test
  void messagesNotCounted_areADoubtOfTheirTime_whateverTheEpoch() throws Exception {
    long period = period(0);
    one.update(counts("other", ++number, period, 12, 12, ""));

    assertThat(doubtful(period)).isEqualTo(12);
    assertThat(one.update(nothing()).oldest()).isEqualTo(period);
  }

  @Test
  void countedUntil_isThatOfTheSlowestBridge() throws Exception {
    Tallies two = tallies("two", LASTING);
    one.update(standing(500, false, 0));
    assertThat(two.update(standing(300, false, 0)).countedUntil()).isEqualTo(300);
    assertThat(one.update(nothing()).countedUntil()).isEqualTo(300);

    two.update(standing(0, true, 1000));

    assertThat(one.update(nothing()).countedUntil()).isEqualTo(500);
    assertThat(doubtfulNow()).isZero();
  }

  @Test
  void bridge_lostWithCounts_leavesADoubt_andHoldsNobodyUp() throws Exception {
    Tallies keeper = tallies("keeper", SHORT);
    tallies("dying", LASTING).update(standing(300, false, 50));
    keeper.update(standing(900, false, 0));

    await()
        .until(
            () -> {
              one.update(standing(900, false, 0));
              return keeper.update(standing(900, false, 0)).countedUntil() == 900;
            });
    assertThat(doubtfulNow()).isEqualTo(100);
  }

  @Test
  void counts_ofABridgeThatDies_stay() throws Exception {
    Tallies dying = tallies("dying", LASTING);
    long period = period(0);
    dying.update(counts(period, "some"));
    dying.update(counts(period, "more"));
    Tallies keeper = tallies("keeper", SHORT);

    await().until(() -> keeper.update(standing(900, false, 0)).countedUntil() == 900);
    assertThat(fields(one, period)).isEqualTo("{=dying=more}");
  }

  @Test
  void revokedMessages_areADoubtOnce() throws Exception {
    Ledger ledger = bridge("revoker", STREAMS, LASTING);
    Claim claim = claim(0, "abc");
    ledger.judge(claim);
    ledger.advance(revoking(claim.batchId()));

    assertThat(doubtfulNow()).isEqualTo(3);
    assertThat(doubtfulNow()).isEqualTo(3);
  }
}
