package io.duplog.dedup;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Tests what the tallies of every store promise. Each implementation runs all of it. */
public abstract class TalliesContract extends StoreContract {
  protected static final List<String> STREAMS = List.of("stream-a", "stream-b");
  private static final Tallies.Bounds BOUNDS = new Tallies.Bounds(1_000_000, 3);
  private static final Duration SHORT = Duration.ofMillis(300);

  private Tallies one;
  private String era;
  private long sequence;

  protected TalliesContract(Function<Duration, SharedStore> stores) {
    super(stores);
  }

  @BeforeEach
  public void begin() throws Exception {
    one = tallies("one", LASTING);
    era = one.add(nothing()).era();
  }

  private Tallies tallies(String name, Duration lease) throws Exception {
    return bridge(name, STREAMS, lease).tallies(BOUNDS);
  }

  private Tallies.Addition nothing() {
    return standing(0, false, 0);
  }

  private Tallies.Addition standing(long until, boolean leaving, long volume) {
    return new Tallies.Addition(
        STREAMS, ++sequence, until, leaving, volume, Tallies.Portion.NOTHING);
  }

  private Tallies.Addition counts(long period, String totals, String... senders) {
    return counts(era, ++sequence, period, false, 0, totals, senders);
  }

  /**
   * Returns what was counted of a period.
   *
   * @param senders name, vector, name, vector
   */
  protected static Tallies.Addition counts(
      String era,
      long sequence,
      long period,
      boolean overflowed,
      long doubtful,
      String totals,
      String... senders) {
    Map<String, String> map = new LinkedHashMap<>();
    for (int i = 0; i < senders.length; i += 2) {
      map.put(senders[i], senders[i + 1]);
    }
    return new Tallies.Addition(
        STREAMS,
        sequence,
        0,
        false,
        0,
        new Tallies.Portion(era, period, overflowed, true, doubtful, totals, map));
  }

  private Tallies.Settlement settlement(
      long settled,
      long period,
      String summary,
      long hour,
      String hourSummary,
      String... regulars) {
    return new Tallies.Settlement(
        era,
        settled,
        new Tallies.Remembered(period, summary, period - 1),
        new Tallies.Remembered(hour, hourSummary, hour - 1),
        List.of(regulars));
  }

  /** Returns a period that has not come yet, so that doubts fall elsewhere. */
  private long period(long later) throws Exception {
    return one.add(nothing()).nowMillis() / BOUNDS.periodMillis() + 10 + later;
  }

  /**
   * Returns a period's fields, except how many senders have a place, and whether others have none.
   */
  private static String fields(Tallies tallies, long period) throws Exception {
    Map<String, String> fields = new TreeMap<>(tallies.read(period));
    fields.keySet().removeAll(List.of("n", Tallies.CLOSED));
    return fields.toString();
  }

  /** Returns the doubt of the present period and of the one before, which may have just ended. */
  private long doubtfulNow() throws Exception {
    long present = one.add(nothing()).nowMillis() / BOUNDS.periodMillis();
    return doubtful(present - 1) + doubtful(present);
  }

  private long doubtful(long period) throws Exception {
    return Long.parseLong(one.read(period).getOrDefault(Tallies.DOUBTFUL, "0"));
  }

  @Test
  void counts_ofSeveralBridges_areAddedUp() throws Exception {
    Tallies two = tallies("two", LASTING);
    long period = period(0);
    one.add(counts(period, "3 2 1 0 1", "a", "2 1 1", "b", "1 1 0"));
    two.add(counts(period, "1 1 2 1 0", "b", "1 1 2"));

    assertThat(fields(two, period)).isEqualTo("{:a=2 1 1, :b=2 2 2, t=4 3 3 1 1}");
    assertThat(one.add(nothing()).oldest()).isEqualTo(period);
    assertThat(one.read(period + 1)).isEmpty();
  }

  @Test
  void digests_thatAreForgottenTooSoon_areTold_untilTheyWouldHaveBeenForgotten() throws Exception {
    Ledger ledger = bridge("judge", STREAMS, LASTING);
    long before = one.add(nothing()).nowMillis();
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
    await().until(() -> one.add(nothing()).nowMillis() >= first.untilMillis());
    judge(ledger, claim(0, "ef"));
    store.forgetDigests();
    ledger.advance(NOTHING);

    assertThat(one.forgotten().fromMillis()).isEqualTo(first.fromMillis());
    assertThat(one.forgotten().untilMillis()).isGreaterThan(first.untilMillis());
  }

  @Test
  void repeatedCall_isAddedOnce() throws Exception {
    Tallies.Addition call = counts(period(0), "3 2 1 0 1", "a", "2 1 1");
    one.add(call);
    one.add(call);

    assertThat(fields(one, call.portion().period())).isEqualTo("{:a=2 1 1, t=3 2 1 0 1}");
  }

  @Test
  void counts_ofAnotherEpoch_areNotAdded() throws Exception {
    long period = period(0);
    era = "other";
    one.add(counts(period, "3 2 1 0 1"));

    assertThat(one.read(period)).isEmpty();
  }

  @Test
  void comparison_beginsAnew_whereAStreamIsAdded() throws Exception {
    long period = period(0);
    one.add(counts(period, "3 2 1 0 1"));
    one.settle(settlement(Tallies.NO_PERIOD, period, "first", 7, "hour 7"));
    one.add(counts(period + 1, "3 2 1 0 1"));
    String before = era;

    Tallies two =
        bridge("two", List.of("stream-a", "stream-b", "stream-c"), LASTING).tallies(BOUNDS);
    Tallies.Added added = two.add(nothing());

    assertThat(added.streams()).containsExactly("stream-a", "stream-b", "stream-c");
    assertThat(added.era()).isNotEqualTo(before);
    assertThat(added.settled()).isEqualTo(Tallies.NO_PERIOD);
    assertThat(one.history(Tallies.NO_PERIOD)).isEmpty();
    assertThat(one.hours()).isEmpty();
    one.add(counts(period + 1, "3 2 1 0 1"));
    assertThat(one.read(period + 1)).as("by other streams").isEmpty();
    one.settle(settlement(Tallies.NO_PERIOD, period + 1, "late", 7, ""));
    assertThat(one.history(Tallies.NO_PERIOD)).as("read before").isEmpty();
  }

  @Test
  void senders_pastTheBound_haveNoPlace_andThePeriodIsClosed() throws Exception {
    long period = period(0);
    String row = "1 1 0";
    assertThat(one.add(counts(period, "3 3 0 0 0", "a", row, "b", row)).members()).isNull();

    Tallies.Added added = one.add(counts(period, "3 3 0 0 0", "b", row, "c", row, "d", row));

    assertThat(added.members()).containsExactlyInAnyOrder("a", "b", "c");
    one.add(counts(period, "1 1 0 0 0", "e", row, "c", row));
    assertThat(fields(one, period)).isEqualTo("{:a=1 1 0, :b=2 2 0, :c=2 2 0, t=7 7 0 0 0}");
  }

  @Test
  void overflow_inABridge_closesThePeriod() throws Exception {
    long period = period(0);
    Tallies.Added added =
        one.add(counts(era, ++sequence, period, true, 0, "9 9 0 0 0", "a", "1 1 0"));

    assertThat(added.members()).containsExactly("a");
    one.add(counts(period, "1 1 0 0 0", "b", "1 1 0"));
    assertThat(one.read(period)).doesNotContainKey(":b");
  }

  @Test
  void regulars_haveTheirPlaceFirst() throws Exception {
    long period = period(0);
    one.add(counts(period, "1 1 0 0 0"));
    one.settle(settlement(Tallies.NO_PERIOD, period, "s", 1, "", "r", "q"));

    one.add(counts(period + 1, "3 3 0 0 0", "a", "1 1 0", "b", "1 1 0", "r", "1 1 0"));

    assertThat(fields(one, period + 1)).isEqualTo("{:a=1 1 0, :q=, :r=1 1 0, t=3 3 0 0 0}");
  }

  @Test
  void settlement_isDoneByTheFirst_andRemembered() throws Exception {
    long period = period(0);
    one.add(counts(period, "3 2 1 0 1"));
    one.settle(settlement(Tallies.NO_PERIOD, period, "first", 7, "hour 7"));
    one.settle(settlement(Tallies.NO_PERIOD, period, "second", 7, "again"));

    Tallies.Added added = one.add(nothing());
    assertThat(added.settled()).isEqualTo(period);
    assertThat(added.oldest()).isEqualTo(Tallies.NO_PERIOD);
    assertThat(one.read(period)).isEmpty();
    assertThat(one.history(Tallies.NO_PERIOD)).containsExactly("first");
    assertThat(one.history(period)).isEmpty();
    assertThat(one.hours()).containsExactly("hour 7");

    for (int i = 1; i <= 3; i++) {
      one.add(counts(period + i, "3 2 1 0 1"));
      one.settle(
          settlement(period + i - 1, period + i, "settled " + i, 7 + i, i == 2 ? "" : "hour " + i));
    }
    assertThat(one.history(Tallies.NO_PERIOD)).containsExactly("settled 2", "settled 3");
    assertThat(one.hours()).containsExactly("hour 3");
  }

  @Test
  void counts_ofASettledPeriod_becomeADoubt() throws Exception {
    long period = one.add(nothing()).nowMillis() / BOUNDS.periodMillis() - 1;
    one.add(counts(period, "3 2 1 0 1"));
    one.settle(settlement(Tallies.NO_PERIOD, period, "first", 7, ""));

    one.add(counts(period, "5 2 1 0 1"));

    assertThat(one.read(period)).isEmpty();
    assertThat(doubtfulNow()).isEqualTo(5);
  }

  @Test
  void messagesNotCounted_areADoubtOfTheirTime_whateverTheEpoch() throws Exception {
    long period = period(0);
    one.add(counts("other", ++sequence, period, false, 12, ""));

    assertThat(one.read(period)).containsEntry(Tallies.DOUBTFUL, "12");
  }

  @Test
  void countedUntil_isThatOfTheSlowestBridge() throws Exception {
    Tallies two = tallies("two", LASTING);
    one.add(standing(500, false, 0));
    assertThat(two.add(standing(300, false, 0)).countedUntil()).isEqualTo(300);
    assertThat(one.add(nothing()).countedUntil()).isEqualTo(300);

    two.add(standing(0, true, 1000));

    assertThat(one.add(nothing()).countedUntil()).isEqualTo(500);
    assertThat(doubtfulNow()).isZero();
  }

  @Test
  void bridge_lostWithCounts_leavesADoubt_andHoldsNobodyUp() throws Exception {
    Tallies keeper = tallies("keeper", SHORT);
    tallies("dying", LASTING).add(standing(300, false, 50));
    keeper.add(standing(900, false, 0));

    await()
        .until(
            () -> {
              one.add(standing(900, false, 0));
              return keeper.add(standing(900, false, 0)).countedUntil() == 900;
            });
    assertThat(doubtfulNow()).isEqualTo(100);
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
