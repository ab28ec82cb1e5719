package io.duplog.coverage;

import io.duplog.dedup.Judgement;
import io.duplog.dedup.LedgerUnavailableException;
import io.duplog.dedup.Sightings;
import io.duplog.dedup.Tallies;
import io.duplog.observe.Trouble;
import io.duplog.wire.MessageBatch;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Coverage of one part of the ledger, or of a ledger that has no parts: adds what this bridge
 * judged to what all bridges share, settles what is over, and reads what any of them has settled.
 * Each part has an epoch, a clock and settled periods of its own, in the same place as its counts.
 *
 * <p>{@link #counted} and {@link #passed} may be called by any thread, the rest by one.
 */
final class PartCoverage {
  private static final Logger log = LoggerFactory.getLogger(PartCoverage.class);

  private final int part;
  private final List<String> streams;
  private final Periods periods;
  private final int senders;
  private final Tally tally;
  private final Tallies tallies;
  private final LongSupplier wallMillis;
  private final Trouble trouble;

  private final Deque<Tally.Portion> outbox = new ArrayDeque<>();
  private long sequence;
  private long portionsTakenAtMillis;
  private Columns columns;
  private boolean asked;

  /** The store's last answer; null before the first. */
  private Tallies.@Nullable Added answer;

  // What the history has of this part. It begins with nothing (learnt null, learntUntil NO_PERIOD);
  // with the first answer that is not catching up it has all up to that answer (learnt), and the
  // last period in it (learntUntil; NO_PERIOD where none was settled yet). From then on each answer
  // moves learnt, and learntUntil where something was settled. It is stale, and by forget() has
  // nothing again together with all other parts, where the epoch is another one, or where something
  // was settled that the store may have forgotten since. toldUntil is about the counters, which
  // only grow: a new epoch alone sets it back, so that what is read again is not told again.
  private String epoch = "";

  /** The last period that the history has of this part. */
  private long learntUntil = Tallies.NO_PERIOD;

  /** The last period that {@link History#sinceStart} has or leaves out. */
  private long toldUntil = Tallies.NO_PERIOD;

  /** The answer up to which the history has everything; null where it has nothing. */
  private Tallies.@Nullable Added learnt;

  private boolean stale;

  /** The store's clock less this host's, in milliseconds, as far as known. */
  private volatile long storeAhead;

  /**
   * @param part its number
   * @param bySender whether all streams see the same address of a sender
   */
  PartCoverage(
      int part,
      List<String> streams,
      Periods periods,
      int senders,
      boolean bySender,
      Tallies tallies,
      LongSupplier wallMillis) {
    this.part = part;
    this.streams = streams;
    this.periods = periods;
    this.senders = senders;
    this.tally = new Tally(periods, streams.size(), senders, bySender);
    this.tallies = tallies;
    this.wallMillis = wallMillis;
    this.trouble = new Trouble(log, "comparison in part " + part, System::nanoTime);
    this.columns = new Columns(streams, streams);
  }

  /** The ledger has counted a batch of a stream, now, which is when it tells of sightings. */
  void counted(MessageBatch batch, int stream, Judgement.Counted counted, Sightings sightings) {
    tally.count(batch, stream, counted, sightings, Tallies.tokenOf(counted.epoch()));
  }

  /** So many messages pass without having been compared. */
  void passed(long messages) {
    tally.doubt(messages, wallMillis.getAsLong() + storeAhead);
  }

  /**
   * Adds what was counted, and settles what is over.
   *
   * @throws LedgerUnavailableException where the store can't be asked; what was counted is kept
   */
  void exchange() throws LedgerUnavailableException {
    Tallies.Added added = addAll(false);
    if (!added.epoch().equals(epoch)) {
      epoch = added.epoch();
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
   * Puts into the history what was settled by any bridge. To be called after {@link #exchange}.
   *
   * @throws LedgerUnavailableException where the store can't be asked; the history is as it was
   */
  void learn(History history) throws LedgerUnavailableException {
    Tallies.@Nullable Added added = answer;
    if (added == null || (learnt == null && isCatchingUp(added))) {
      return;
    }
    if (added.settled() > learntUntil && !learnFrom(added, history)) {
      return;
    }
    history.forgetBefore(keepFrom(added));
    learnt = added;
    trouble.recovered();
  }

  /** What the store has of this part makes no sense. */
  void failed(RuntimeException e) {
    trouble.occurred(
        ("part %d of the ledger is not compared (%s); tried again every second,"
                + " its messages are merged all the same")
            .formatted(part, e));
    log.debug("part {} is not compared", part, e);
  }

  private boolean learnFrom(Tallies.Added added, History history)
      throws LedgerUnavailableException {
    List<Summary> settled = read(tallies.history(learntUntil));
    long until = added.settled();
    if (!settled.isEmpty()) {
      until = Math.max(until, settled.get(settled.size() - 1).number());
    }
    if (learntUntil == Tallies.NO_PERIOD) {
      List<Summary> hours = read(tallies.hours());
      if (!tallies.history(until).isEmpty()) {
        return false; // settled in between, so that an hour has it already: once more, next time
      }
      history.begin(part, settled, hours);
    } else {
      history.add(part, settled);
    }
    if (toldUntil != Tallies.NO_PERIOD) {
      long told = toldUntil;
      history.tell(settled.stream().filter(each -> each.number() > told).toList());
    }
    learntUntil = until;
    toldUntil = until;
    return true;
  }

  private Summary readOne(String text) {
    return Summary.parse(text, columns.shared().size()).seenBy(columns);
  }

  private List<Summary> read(List<String> texts) {
    return texts.stream().map(this::readOne).toList();
  }

  private long keepFrom(Tallies.Added added) {
    return periods.at(added.nowMillis() - Reports.FINE.toMillis() - periods.windowMillis());
  }

  /** How far the history has this part. */
  Reports.Part known() {
    return new Reports.Part(learnt, storeAhead);
  }

  /** The store's clock at its last answer; 0 before the first. */
  long storeMillis() {
    Tallies.@Nullable Added last = answer;
    return last == null ? 0 : last.nowMillis();
  }

  /**
   * Adds what was counted last, and adds nothing any more.
   *
   * @throws LedgerUnavailableException where the store can't be asked; what was counted is lost
   */
  void leave() throws LedgerUnavailableException {
    addAll(false);
    addAll(true);
  }

  private Tallies.Added addAll(boolean leaving) throws LedgerUnavailableException {
    if (!asked) {
      // By which streams all bridges count, before anything is added.
      sequence++;
      countBy(tallies.add(standing(0, false)));
      asked = true;
    }
    long takenAt = portionsTakenAtMillis;
    if (outbox.isEmpty()) {
      outbox.addAll(tally.take());
      // By the store's last answer, so that this bridge's clock does not matter.
      takenAt = storeMillis();
      portionsTakenAtMillis = takenAt;
    }
    while (!outbox.isEmpty()) {
      Tally.Portion portion = outbox.getFirst();
      // The number is the same until an answer came: a call that failed may have been executed.
      Tallies.Added added = countBy(tallies.add(addition(portion, sequence + 1)));
      sequence++;
      outbox.removeFirst();
      if (portion.wantsNames() && added.closed()) {
        tally.close(portion.period(), added.names());
      }
    }
    // A number of its own each time: what was added last must not be taken for its repetition.
    sequence++;
    Tallies.Added added = countBy(tallies.add(standing(takenAt, leaving)));
    answer = added;
    storeAhead = added.nowMillis() - wallMillis.getAsLong();
    tally.forgetUntil(added.settled());
    return added;
  }

  /** What is added by other streams than these is not added, so that sums have one order. */
  private Tallies.Added countBy(Tallies.Added added) {
    if (!added.streams().isEmpty() && !added.streams().equals(columns.shared())) {
      columns = new Columns(streams, added.streams());
    }
    return added;
  }

  private Tallies.Addition addition(Tally.Portion portion, long number) {
    Map<String, String> named = new LinkedHashMap<>();
    portion.senders().forEach((name, counts) -> named.put(name, columns.share(counts)));
    return new Tallies.Addition(
        portion.token(),
        columns.shared(),
        number,
        0,
        false,
        tally.mostCopies(),
        portion.period(),
        portion.overflowed(),
        portion.wantsNames(),
        portion.doubtful(),
        columns.share(portion.totals()),
        named);
  }

  private Tallies.Addition standing(long countedUntil, boolean leaving) {
    return new Tallies.Addition(
        "",
        columns.shared(),
        sequence,
        countedUntil,
        leaving,
        tally.mostCopies(),
        Tallies.NO_PERIOD,
        false,
        false,
        0,
        "",
        Map.of());
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
    int shared = columns.shared().size();
    Summary summary = Summary.ofFields(period, shared, fields).boundedTo(senders);
    long hour = periods.hourOf(period);
    // What the streams had brought before this epoch is not known, so its first window says
    // nothing.
    boolean comparable = isComparable(period, added);
    tallies.settle(
        new Tallies.Settlement(
            added.epoch(),
            added.settled(),
            period,
            comparable ? summary.text() : "",
            keepFrom(added),
            hour,
            comparable ? hourWith(summary, hour).text() : "",
            hour - History.HOURS,
            fields.containsKey(Tallies.CLOSED) ? summary.foremost(senders / 2) : List.of()));
  }

  private boolean isComparable(long period, Tallies.Added added) {
    return periods.startMillis(period) >= added.beganMillis() + periods.windowMillis();
  }

  private Summary hourWith(Summary period, long hour) throws LedgerUnavailableException {
    int shared = columns.shared().size();
    Summary sum = Summary.empty(hour, shared);
    for (String text : tallies.hours()) {
      Summary each = Summary.parse(text, shared);
      if (each.number() == hour) {
        sum = each;
      }
    }
    return Summary.sum(hour, shared, List.of(sum, period), senders);
  }
}
