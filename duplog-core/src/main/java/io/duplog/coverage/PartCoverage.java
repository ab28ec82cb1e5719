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
 * Coverage of one part of the ledger, or of a ledger that has no parts: has what this bridge judged
 * added to what all bridges share, settles what is over, and reads what any of them has settled.
 * Each part has an era, a clock and settled periods of its own, in the same place as its counts.
 * One thread at a time.
 */
final class PartCoverage {
  private static final Logger log = LoggerFactory.getLogger(PartCoverage.class);

  private final int part;
  private final Periods periods;
  private final int senders;
  private final Tallies tallies;
  private final Contribution contribution;
  private final RecurringWarning trouble;

  /** The store's last answer; null before the first. */
  private Tallies.@Nullable Added answer;

  // What the history has of this part. It begins with nothing (learnt null, learntUntil NO_PERIOD);
  // with the first answer that is not catching up it has all up to that answer (learnt), and the
  // last period in it (learntUntil; NO_PERIOD where none was settled yet). From then on each answer
  // moves learnt, and learntUntil where something was settled. It is stale, and by forget() has
  // nothing again together with all other parts, where the era is another one, or where something
  // was settled that the store may have forgotten since. toldUntil is about the counters, which
  // only grow: a new era alone sets it back, so that what is read again is not told again.
  private String era = "";

  /** The last period that the history has of this part. */
  private long learntUntil = Tallies.NO_PERIOD;

  /** The last period that {@link History#sinceStart()} has or leaves out. */
  private long toldUntil = Tallies.NO_PERIOD;

  /** The answer up to which the history has everything; null where it has nothing. */
  private Tallies.@Nullable Added learnt;

  private boolean stale;

  /**
   * @param part its number
   * @param senders of how many the store keeps numbers
   * @param tallies where the counts are
   * @param contribution what this bridge adds to them
   */
  PartCoverage(int part, Periods periods, int senders, Tallies tallies, Contribution contribution) {
    this.part = part;
    this.periods = periods;
    this.senders = senders;
    this.tallies = tallies;
    this.contribution = contribution;
    this.trouble = new RecurringWarning(log, "comparison in part " + part, System::nanoTime);
  }

  /** Which any thread may tell what it counted. */
  Contribution contribution() {
    return contribution;
  }

  /**
   * Adds what was counted, and settles what is over.
   *
   * @throws LedgerUnavailableException where the store can't be asked; what was counted is kept
   */
  void exchange() throws LedgerUnavailableException {
    Tallies.Added added = contribution.handOver(false);
    answer = added;
    if (!added.era().equals(era)) {
      era = added.era();
      toldUntil = Tallies.NO_PERIOD;
      stale = learntUntil != Tallies.NO_PERIOD;
    }
    // The store forgets what is old, so that what was settled in between may be gone.
    stale |= learntUntil != Tallies.NO_PERIOD && added.settled() > learntUntil && isOld(added);
    settleOldest(added);
  }

  /** Whether what was settled since the history had everything may be as old as that. */
  private boolean isOld(Tallies.Added added) {
    Tallies.@Nullable Added last = learnt;
    return last == null
        || Math.max(learntUntil, Stretch.lastOf(last, periods)) + 1 < keepFrom(added);
  }

  /** Whether it settles what is forgotten at once, or soon: each would have all read again. */
  private boolean isCatchingUp(Tallies.Added added) {
    return added.oldest() != Tallies.NO_PERIOD
        && added.oldest() < periods.at(added.nowMillis() - Reports.FINE.toMillis());
  }

  /** Whether the history has something of this part that the store no longer vouches for. */
  boolean isStale() {
    return stale;
  }

  /** The history has nothing of this part any more. */
  void forget() {
    stale = false;
    learntUntil = Tallies.NO_PERIOD;
    learnt = null;
  }

  /**
   * The history with what was settled by any bridge. To be called after {@link #exchange}.
   *
   * @throws LedgerUnavailableException where the store can't be asked; the history is as it was
   */
  History learn(History history) throws LedgerUnavailableException {
    Tallies.@Nullable Added added = answer;
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

  /** What the store has of this part makes no sense. */
  void failed(RuntimeException e) {
    trouble.occurred(
        ("part %d of the ledger is not compared (%s); tried again every second,"
                + " its messages are merged all the same")
            .formatted(part, e));
    log.debug("part {} is not compared", part, e);
  }

  /** Null where it can't be told from what an hour has already: once more, next time. */
  private @Nullable History learnFrom(Tallies.Added added, History history)
      throws LedgerUnavailableException {
    List<Summary> settled = read(tallies.history(learntUntil));
    long until = added.settled();
    if (!settled.isEmpty()) {
      until = Math.max(until, settled.get(settled.size() - 1).number());
    }
    List<Summary> hours;
    if (learntUntil == Tallies.NO_PERIOD) {
      hours = read(tallies.hours());
      if (!tallies.history(until).isEmpty()) {
        return null; // settled in between
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
    Columns columns = contribution.columns();
    int shared = columns.shared().size();
    return texts.stream().map(text -> Summary.parse(text, shared).seenBy(columns)).toList();
  }

  private long keepFrom(Tallies.Added added) {
    return periods.at(added.nowMillis() - Reports.FINE.toMillis() - periods.windowMillis());
  }

  /** The time for which the history has this part; null for none. */
  @Nullable Stretch stretch() {
    return Stretch.of(learnt, contribution.storeAhead(), periods);
  }

  /**
   * Adds what was counted last, and adds nothing any more.
   *
   * @throws LedgerUnavailableException where the store can't be asked; what was counted is lost
   */
  void leave() throws LedgerUnavailableException {
    contribution.handOver(false);
    contribution.handOver(true);
  }

  private void settleOldest(Tallies.Added added) throws LedgerUnavailableException {
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
    Summary summary = Summary.ofFields(period, shared, fields).boundedTo(senders);
    long hour = periods.hourOf(period);
    // What the streams had brought before this era is not known, so its first window says
    // nothing.
    boolean comparable = isComparable(period, added);
    tallies.settle(
        new Tallies.Settlement(
            added.era(),
            added.settled(),
            new Tallies.Remembered(period, comparable ? summary.text() : "", keepFrom(added)),
            new Tallies.Remembered(
                hour, comparable ? hourWith(summary, hour).text() : "", hour - Settled.HOURS),
            fields.containsKey(Tallies.CLOSED) ? summary.foremost(senders / 2) : List.of()));
  }

  private boolean isComparable(long period, Tallies.Added added) {
    return periods.startMillis(period) >= added.beganMillis() + periods.windowMillis();
  }

  private Summary hourWith(Summary period, long hour) throws LedgerUnavailableException {
    int shared = contribution.columns().shared().size();
    List<Summary> sums = new ArrayList<>(List.of(period));
    for (String text : tallies.hours()) {
      Summary each = Summary.parse(text, shared);
      if (each.number() == hour) {
        sums.add(each);
      }
    }
    return Summary.sum(hour, shared, sums, senders);
  }
}
