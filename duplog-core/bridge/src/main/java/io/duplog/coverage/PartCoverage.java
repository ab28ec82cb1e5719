package io.duplog.coverage;

import io.duplog.dedup.LedgerUnavailableException;
import io.duplog.dedup.Tallies;
import io.duplog.observe.Trouble;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Counts what each stream missed in one part of the ledger, which is a share of a Redis Cluster or
 * the whole Redis. It adds this bridge's counts to those of the other bridges, settles finished
 * periods, and reads the periods that any bridge has settled. Each part has its own era, clock and
 * settled periods, in the same store as its counts. Not thread-safe.
 *
 * @see "docs/decisions/coverage.md#coverage-in-every-part"
 */
final class PartCoverage {
  private static final Logger log = LoggerFactory.getLogger(PartCoverage.class);

  private final int part;
  private final Periods periods;
  private final int maxSenders;
  private final Tallies tallies;
  private final Contribution contribution;
  private final Trouble failureWarning;

  /** The store's last answer, or null before the first answer. */
  private Tallies.@Nullable State answer;

  /**
   * The state up to which the history is complete for this part, or null if it has nothing of this
   * part. The history is filled by the first answer of a part that is not catching up.
   */
  private Tallies.@Nullable State historyState;

  /**
   * The state up to which the counters are complete for this part. Clearing the history keeps this
   * state, because the counters never decrease.
   */
  private Tallies.@Nullable State counterState;

  /**
   * @param part number of the part
   * @param maxSenders maximum number of senders with counts in the store
   * @param tallies the counts that bridges share
   * @param contribution this bridge's counts
   */
  PartCoverage(
      int part, Periods periods, int maxSenders, Tallies tallies, Contribution contribution) {
    this.part = part;
    this.periods = periods;
    this.maxSenders = maxSenders;
    this.tallies = tallies;
    this.contribution = contribution;
    this.failureWarning = new Trouble(log, "comparison in part " + part, System::nanoTime);
  }

  /** Returns this bridge's counts. May be called from any thread. */
  Contribution contribution() {
    return contribution;
  }

  /**
   * Writes the counts to the store, and settles the oldest period if it is over.
   *
   * @throws LedgerUnavailableException if the store is unavailable; the counts are kept
   */
  void exchange() throws LedgerUnavailableException {
    Tallies.State state = contribution.write(false);
    answer = state;
    settleOldest(state);
  }

  /**
   * Whether this part must be read again: its era changed, or the store may have removed periods
   * that were settled since the last read.
   */
  boolean isStale() {
    Tallies.@Nullable State now = answer;
    Tallies.@Nullable State then = historyState;
    if (now == null || then == null || then.settled() == Tallies.NO_PERIOD) {
      return false;
    }
    long last = Math.max(then.settled(), Stretch.lastOf(then, periods));
    return !now.era().equals(then.era())
        || (now.settled() > then.settled() && last + 1 < keepFrom(now));
  }

  /**
   * Whether the part still settles very old periods, which the store soon removes. Each of them
   * would make the part stale, and everything would be read again.
   */
  private boolean isCatchingUp(Tallies.State state) {
    return state.oldest() != Tallies.NO_PERIOD
        && state.oldest()
            < periods.at(keptFromMillis(state) + Reports.MAX_PERIOD_RANGE.toMillis() / 2);
  }

  /** Called when the history was cleared. This part is then read from the beginning again. */
  void forget() {
    historyState = null;
  }

  /**
   * Returns the last settled period in the history, or {@link Tallies#NO_PERIOD} if there is none.
   */
  private long historyEnd() {
    Tallies.@Nullable State then = historyState;
    return then == null ? Tallies.NO_PERIOD : then.settled();
  }

  /**
   * Returns the history with the periods added that any bridge has settled. Must be called after
   * {@link #exchange}.
   *
   * @throws LedgerUnavailableException if the store is unavailable; the history is unchanged
   */
  History learn(History history) throws LedgerUnavailableException {
    Tallies.@Nullable State state = answer;
    if (state == null || (historyState == null && isCatchingUp(state))) {
      return history;
    }
    History more = history;
    if (state.settled() > historyEnd()) {
      more = learnFrom(state, history);
      if (more == null) {
        return history;
      }
    } else {
      historyState = state.settledUntil(historyEnd());
    }
    failureWarning.recovered();
    return more.since(keepFrom(state));
  }

  /** Called when this part's data in the store is invalid. Logs a warning. */
  void warn(RuntimeException e) {
    failureWarning.occurred(
        ("part %d of the ledger is not compared (%s); tried again every second,"
                + " its messages are merged all the same")
            .formatted(part, e));
    log.debug("part {} is not compared", part, e);
  }

  /**
   * Returns the history with the periods added that were settled since the last call. The first
   * call also reads the hourly sums. It returns null if a period was settled between the two reads,
   * because the hourly sums may already contain it. The caller then tries again next time.
   */
  private @Nullable History learnFrom(Tallies.State state, History history)
      throws LedgerUnavailableException {
    long before = historyEnd();
    List<Summary> settled = read(tallies.history(before));
    long until = state.settled();
    if (!settled.isEmpty()) {
      Summary last = settled.get(settled.size() - 1);
      until = Math.max(until, last.number());
      contribution.setRegularSenders(last.topSenders(maxSenders / 2));
    }
    List<Summary> hours;
    if (before == Tallies.NO_PERIOD) {
      hours = read(tallies.hours());
      if (!tallies.history(until).isEmpty()) {
        return null; // a period was settled between the two reads
      }
    } else {
      hours = settled.stream().map(each -> each.withNumber(periods.hourOf(each.number()))).toList();
    }
    History more = history.plus(part, settled, hours, maxSenders);
    Tallies.@Nullable State counted = counterState;
    if (counted != null
        && counted.era().equals(state.era())
        && counted.settled() != Tallies.NO_PERIOD) {
      long last = counted.settled();
      more = more.plusSinceStart(settled.stream().filter(each -> each.number() > last).toList());
    }
    historyState = state.settledUntil(until);
    counterState = historyState;
    return more;
  }

  private List<Summary> read(List<String> texts) {
    StreamMapping columns = contribution.streamMapping();
    int shared = columns.sharedStreams().size();
    return texts.stream().map(text -> Summary.parse(text, shared).map(columns::toOwn)).toList();
  }

  private long keepFrom(Tallies.State state) {
    return periods.at(keptFromMillis(state));
  }

  /**
   * A period is settled at most a window and a period after its end, and a report begins with a
   * whole period.
   */
  private long keptFromMillis(Tallies.State state) {
    long longest =
        periods.windowMillis() + 2 * periods.lengthMillis() + Reports.MAX_PERIOD_RANGE.toMillis();
    return state.nowMillis() - longest;
  }

  /**
   * Returns the time for which the history contains this part's sums, or null if it contains none.
   */
  @Nullable Stretch stretch() {
    return Stretch.of(historyState, contribution.storeAheadMillis(), periods);
  }

  /**
   * Writes the last counts, and tells the store that they are the last.
   *
   * @throws LedgerUnavailableException if the store is unavailable; the last counts are lost
   */
  void leave() throws LedgerUnavailableException {
    contribution.write(false);
    contribution.write(true);
  }

  private void settleOldest(Tallies.State state) throws LedgerUnavailableException {
    long period = state.oldest();
    if (period == Tallies.NO_PERIOD) {
      return;
    }
    long due = periods.dueMillis(period);
    if (state.nowMillis() < due || state.countedUntil() < due) {
      return;
    }
    Map<String, String> fields = tallies.read(period);
    if (fields.isEmpty()) {
      return;
    }
    // Messages that arrived before this era are unknown, so the era's first window can't be
    // compared. Its counts may also use the streams of the previous era.
    boolean isComparable = isComparable(period, state);
    int shared = contribution.streamMapping().sharedStreams().size();
    Summary summary =
        isComparable
            ? Summary.ofBridges(period, shared, fields, maxSenders)
            : Summary.empty(period, shared);
    if (tallies.forgotten().concerns(periods.startMillis(period), periods.endMillis(period))) {
      summary = summary.withAllDoubtful();
    }
    long hour = periods.hourOf(period);
    tallies.settle(
        new Tallies.Settlement(
            state.era(),
            state.settled(),
            new Tallies.Remembered(period, isComparable ? summary.text() : "", keepFrom(state)),
            new Tallies.Remembered(
                hour,
                isComparable ? hourWith(summary, hour).text() : "",
                hour - Settled.MAX_HOURS)));
  }

  private boolean isComparable(long period, Tallies.State state) {
    return periods.startMillis(period) >= state.beganMillis() + periods.windowMillis();
  }

  private Summary hourWith(Summary period, long hour) throws LedgerUnavailableException {
    int shared = contribution.streamMapping().sharedStreams().size();
    List<Summary> sums = new ArrayList<>(List.of(period));
    tallies.hours().stream()
        .map(text -> Summary.parse(text, shared))
        .filter(each -> each.number() == hour)
        .forEach(sums::add);
    return Summary.sum(hour, shared, sums, maxSenders);
  }
}
