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

  // What the history has of this part. At first it has nothing (learnt is null, learntUntil
  // NO_PERIOD). The first answer that is not catching up brings everything up to that answer
  // (learnt) and its last period (learntUntil; NO_PERIOD if none was settled yet). Each later
  // answer moves learnt, and learntUntil if something was settled. The part is stale if the era
  // changed, or if something was settled that the store may have forgotten since. Then forget()
  // resets it together with all other parts. toldUntil is for the counters, which only grow. Only a
  // new era resets it, so that periods that are read again are not counted again.
  private String era = "";

  /** Number of the last period in the history; {@link Tallies#NO_PERIOD} if there is none. */
  private long learntUntil = Tallies.NO_PERIOD;

  /** Number of the last period added to {@link History#sinceStart()} or skipped on purpose. */
  private long toldUntil = Tallies.NO_PERIOD;

  /**
   * The answer up to which the history is complete; null if the history has nothing of this part.
   */
  private Tallies.@Nullable State learnt;

  private boolean stale;

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
    Tallies.State added = contribution.write(false);
    answer = added;
    if (!added.era().equals(era)) {
      era = added.era();
      toldUntil = Tallies.NO_PERIOD;
      stale = learntUntil != Tallies.NO_PERIOD;
    }
    // The store forgets old periods, so that what was settled since the last answer may be gone.
    stale |= learntUntil != Tallies.NO_PERIOD && added.settled() > learntUntil && isOld(added);
    settleOldest(added);
  }

  /** Whether the store may have forgotten periods that were settled since {@link #learnt}. */
  private boolean isOld(Tallies.State added) {
    Tallies.@Nullable State last = learnt;
    return last == null
        || Math.max(learntUntil, Stretch.lastOf(last, periods)) + 1 < keepFrom(added);
  }

  /**
   * Whether the part still settles periods so old that they are forgotten soon. Each of them would
   * make the part stale, and have everything read again.
   */
  private boolean isCatchingUp(Tallies.State added) {
    return added.oldest() != Tallies.NO_PERIOD
        && added.oldest() < periods.at(keptFromMillis(added) + Reports.FINE.toMillis() / 2);
  }

  /** Whether this part must be read again, because its era changed or periods may be missing. */
  boolean isStale() {
    return stale;
  }

  /** Called when the history was cleared, so that this part is read from the beginning again. */
  void forget() {
    stale = false;
    learntUntil = Tallies.NO_PERIOD;
    learnt = null;
  }

  /**
   * Returns the history with the periods that any bridge has settled. Must be called after {@link
   * #exchange}.
   *
   * @throws LedgerUnavailableException if the store can't be asked; the history is unchanged
   */
  History learn(History history) throws LedgerUnavailableException {
    Tallies.@Nullable State added = answer;
    if (added == null || (learnt == null && isCatchingUp(added))) {
      return history;
    }
    History more = history;
    if (added.settled() > learntUntil) {
      more = learnFrom(added, history);
      if (more == null) {
        return history;
      }
    }
    learnt = added;
    trouble.recovered();
    return more.since(keepFrom(added));
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
  private @Nullable History learnFrom(Tallies.State added, History history)
      throws LedgerUnavailableException {
    List<Summary> settled = read(tallies.history(learntUntil));
    long until = added.settled();
    if (!settled.isEmpty()) {
      Summary last = settled.get(settled.size() - 1);
      until = Math.max(until, last.number());
      contribution.favour(last.foremost(senders / 2));
    }
    List<Summary> hours;
    if (learntUntil == Tallies.NO_PERIOD) {
      hours = read(tallies.hours());
      if (!tallies.history(until).isEmpty()) {
        return null; // a period was settled between the two reads
      }
    } else {
      hours = settled.stream().map(each -> each.numbered(periods.hourOf(each.number()))).toList();
    }
    History more = history.plus(part, settled, hours, senders);
    if (toldUntil != Tallies.NO_PERIOD) {
      long told = toldUntil;
      more = more.told(settled.stream().filter(each -> each.number() > told).toList());
    }
    learntUntil = until;
    toldUntil = until;
    return more;
  }

  private List<Summary> read(List<String> texts) {
    StreamMapping columns = contribution.columns();
    int shared = columns.shared().size();
    return texts.stream().map(text -> Summary.parse(text, shared).map(columns::own)).toList();
  }

  private long keepFrom(Tallies.State added) {
    return periods.at(keptFromMillis(added));
  }

  /** A period is settled after a window, and up to a period; a report begins with a whole one. */
  private long keptFromMillis(Tallies.State added) {
    long longest = periods.windowMillis() + 2 * periods.lengthMillis() + Reports.FINE.toMillis();
    return added.nowMillis() - longest;
  }

  /** Returns the time for which the history contains this part's sums; null if it has none. */
  @Nullable Stretch stretch() {
    return Stretch.of(learnt, contribution.storeAhead(), periods);
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

  private void settleOldest(Tallies.State added) throws LedgerUnavailableException {
    long period = added.oldest();
    if (period == Tallies.NO_PERIOD) {
      return;
    }
    long due = periods.dueMillis(period);
    if (added.nowMillis() < due || added.countedUntil() < due) {
      return;
    }
    Map<String, String> fields = tallies.read(period);
    if (fields.isEmpty()) {
      return;
    }
    int shared = contribution.columns().shared().size();
    Summary summary = Summary.ofBridges(period, shared, fields, senders);
    if (tallies.forgotten().concerns(periods.startMillis(period), periods.endMillis(period))) {
      summary = summary.doubted();
    }
    long hour = periods.hourOf(period);
    // What the streams had brought before this era is not known, so the era's first window says
    // nothing.
    boolean comparable = isComparable(period, added);
    tallies.settle(
        new Tallies.Settlement(
            added.era(),
            added.settled(),
            new Tallies.Remembered(period, comparable ? summary.text() : "", keepFrom(added)),
            new Tallies.Remembered(
                hour, comparable ? hourWith(summary, hour).text() : "", hour - Settled.HOURS)));
  }

  private boolean isComparable(long period, Tallies.State added) {
    return periods.startMillis(period) >= added.beganMillis() + periods.windowMillis();
  }

  private Summary hourWith(Summary period, long hour) throws LedgerUnavailableException {
    int shared = contribution.columns().shared().size();
    List<Summary> sums = new ArrayList<>(List.of(period));
    tallies.hours().stream()
        .map(text -> Summary.parse(text, shared))
        .filter(each -> each.number() == hour)
        .forEach(sums::add);
    return Summary.sum(hour, shared, sums, senders);
  }
}
