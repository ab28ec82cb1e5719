package io.duplog.coverage;

import io.duplog.dedup.LedgerUnavailableException;
import io.duplog.dedup.Tallies;
import io.duplog.observe.RecurringWarning;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Coverage of one part of the ledger, or of a ledger that has no parts. Writes what this bridge
 * judged beside what the other bridges wrote, settles periods that are over, and reads what any
 * bridge has settled. Each part has an era, a clock and settled periods of its own, in the same
 * store as its counts. To be used by one thread at a time.
 *
 * @see "docs/decisions/coverage.md#coverage-in-every-part"
 */
final class PartCoverage {
  private static final Logger log = LoggerFactory.getLogger(PartCoverage.class);

  private final int part;
  private final Periods periods;
  private final int senders;
  private final Tallies tallies;
  private final Contribution contribution;
  private final RecurringWarning trouble;

  /** The store's last answer; null before the first answer. */
  private Tallies.@Nullable State answer;

  /**
   * The state up to which the history has everything of this part; null if it has nothing of it. At
   * first the history has nothing. The first answer that is not catching up brings everything.
   */
  private Tallies.@Nullable State historyState;

  /**
   * The state up to which the counters have everything of this part. Stays when the history is
   * cleared, because the counters only grow.
   */
  private Tallies.@Nullable State counterState;

  /**
   * @param part number of the part
   * @param senders most senders of which the store keeps counts
   * @param tallies the counts that bridges share
   * @param contribution what this bridge has counted
   */
  PartCoverage(int part, Periods periods, int senders, Tallies tallies, Contribution contribution) {
    this.part = part;
    this.periods = periods;
    this.senders = senders;
    this.tallies = tallies;
    this.contribution = contribution;
    this.trouble = new RecurringWarning(log, "comparison in part " + part, System::nanoTime);
  }

  /** Returns what this bridge has counted. May be used from any thread. */
  Contribution contribution() {
    return contribution;
  }

  /**
   * Writes what was counted, and settles the oldest period if it is over.
   *
   * @throws LedgerUnavailableException if the store can't be asked; what was counted is kept
   */
  void exchange() throws LedgerUnavailableException {
    Tallies.State state = contribution.write(false);
    answer = state;
    settleOldest(state);
  }

  /**
   * Whether this part must be read again, because its era changed, or because the store may have
   * forgotten periods that were settled since the last reading.
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
   * Whether the part still settles periods so old that they are forgotten soon. Each of them would
   * make the part stale, and have everything read again.
   */
  private boolean isCatchingUp(Tallies.State state) {
    return state.oldest() != Tallies.NO_PERIOD
        && state.oldest() < periods.at(keptFromMillis(state) + Reports.FINE.toMillis() / 2);
  }

  /** Called when the history was cleared, so that this part is read from the beginning again. */
  void forget() {
    historyState = null;
  }

  /** Returns the last settled period in the history; {@link Tallies#NO_PERIOD} if there is none. */
  private long historyEnd() {
    Tallies.@Nullable State then = historyState;
    return then == null ? Tallies.NO_PERIOD : then.settled();
  }

  /**
   * Returns the history with the periods that any bridge has settled. Must be called after {@link
   * #exchange}.
   *
   * @throws LedgerUnavailableException if the store can't be asked; the history is unchanged
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
    trouble.recovered();
    return more.since(keepFrom(state));
  }

  /** Called when this part's data in the store can't be understood; logs a warning. */
  void failed(RuntimeException e) {
    trouble.occurred(
        ("part %d of the ledger is not compared (%s); tried again every second,"
                + " its messages are merged all the same")
            .formatted(part, e));
    log.debug("part {} is not compared", part, e);
  }

  /**
   * Returns the history with the periods that were settled since the last call. At first, the
   * hourly sums are read as well. Returns null if a period was settled between these two reads,
   * because the hourly sums may contain it already; the caller then tries again next time.
   */
  private @Nullable History learnFrom(Tallies.State state, History history)
      throws LedgerUnavailableException {
    long before = historyEnd();
    List<Summary> settled = read(tallies.history(before));
    long until = state.settled();
    if (!settled.isEmpty()) {
      Summary last = settled.get(settled.size() - 1);
      until = Math.max(until, last.number());
      contribution.favour(last.foremost(senders / 2));
    }
    List<Summary> hours;
    if (before == Tallies.NO_PERIOD) {
      hours = read(tallies.hours());
      if (!tallies.history(until).isEmpty()) {
        return null; // a period was settled between the two reads
      }
    } else {
      hours = settled.stream().map(each -> each.numbered(periods.hourOf(each.number()))).toList();
    }
    History more = history.plus(part, settled, hours, senders);
    Tallies.@Nullable State counted = counterState;
    if (counted != null
        && counted.era().equals(state.era())
        && counted.settled() != Tallies.NO_PERIOD) {
      long last = counted.settled();
      more = more.counted(settled.stream().filter(each -> each.number() > last).toList());
    }
    historyState = state.settledUntil(until);
    counterState = historyState;
    return more;
  }

  private List<Summary> read(List<String> texts) {
    StreamMapping columns = contribution.columns();
    int shared = columns.sharedStreams().size();
    return texts.stream().map(text -> Summary.parse(text, shared).map(columns::own)).toList();
  }

  private long keepFrom(Tallies.State state) {
    return periods.at(keptFromMillis(state));
  }

  /** A period is settled after a window, and up to a period; a report begins with a whole one. */
  private long keptFromMillis(Tallies.State state) {
    long longest = periods.windowMillis() + 2 * periods.lengthMillis() + Reports.FINE.toMillis();
    return state.nowMillis() - longest;
  }

  /** Returns the time for which the history contains this part's sums; null if it has none. */
  @Nullable Stretch stretch() {
    return Stretch.of(historyState, contribution.storeAhead(), periods);
  }

  /**
   * Writes what was counted last, and tells the store that nothing will follow.
   *
   * @throws LedgerUnavailableException if the store can't be asked; what was counted is lost
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
    // What the streams had brought before this era is not known, so the era's first window says
    // nothing. Its counts may also be by the streams of the era before.
    boolean comparable = isComparable(period, state);
    int shared = contribution.columns().sharedStreams().size();
    Summary summary =
        comparable
            ? Summary.ofBridges(period, shared, fields, senders)
            : Summary.empty(period, shared);
    if (tallies.forgotten().concerns(periods.startMillis(period), periods.endMillis(period))) {
      summary = summary.doubted();
    }
    long hour = periods.hourOf(period);
    tallies.settle(
        new Tallies.Settlement(
            state.era(),
            state.settled(),
            new Tallies.Remembered(period, comparable ? summary.text() : "", keepFrom(state)),
            new Tallies.Remembered(
                hour, comparable ? hourWith(summary, hour).text() : "", hour - Settled.HOURS)));
  }

  private boolean isComparable(long period, Tallies.State state) {
    return periods.startMillis(period) >= state.beganMillis() + periods.windowMillis();
  }

  private Summary hourWith(Summary period, long hour) throws LedgerUnavailableException {
    int shared = contribution.columns().sharedStreams().size();
    List<Summary> sums = new ArrayList<>(List.of(period));
    tallies.hours().stream()
        .map(text -> Summary.parse(text, shared))
        .filter(each -> each.number() == hour)
        .forEach(sums::add);
    return Summary.sum(hour, shared, sums, senders);
  }
}
