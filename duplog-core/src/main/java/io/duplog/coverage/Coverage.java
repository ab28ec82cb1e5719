package io.duplog.coverage;

import io.duplog.dedup.Judgement;
import io.duplog.dedup.LedgerUnavailableException;
import io.duplog.dedup.Sightings;
import io.duplog.dedup.Tallies;
import io.duplog.wire.MessageBatch;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Coverage as one bridge knows it: counts what this bridge judges, adds it to what all bridges
 * share, settles what is over, and reports on what was settled by any of them.
 *
 * <p>{@link #counted}, {@link #passed} and {@link #report} may be called by any thread; {@link
 * #runOnce} by one at a time, every second or so.
 */
public final class Coverage {
  private static final long HOURS = 25;
  private static final Duration MISMATCH_RANGE = Duration.ofMinutes(10);
  private static final long COMPARE_MILLIS = 10_000;

  private final List<String> streams;
  private final Periods periods;
  private final int senders;
  private final Tally tally;
  private final Tallies tallies;
  private final LongSupplier wallMillis;
  private final MismatchWatch mismatch;
  private final Reports reports;

  // By the thread that calls runOnce.
  private final Deque<Tally.Part> outbox = new ArrayDeque<>();
  private long sequence;
  private long partsTakenAtMillis;
  private long knownSettled = Tallies.NO_PERIOD;
  private String knownEpoch = "";
  private Columns columns;
  private boolean asked;
  private long comparedAtMillis;

  private volatile Reports.Known known = new Reports.Known(List.of(), List.of(), null);

  private volatile Summary settledHere;

  /** The store's clock less this host's, in milliseconds, as far as known. */
  private volatile long storeAhead;

  /**
   * @param streams their names in the order in which they are counted
   * @param senders most senders to tell apart
   * @param bySender whether all streams see the same address of a sender
   * @param tallies what the bridges share
   * @param wallMillis {@code System::currentTimeMillis}, or a test's
   */
  public Coverage(
      List<String> streams,
      Duration window,
      int senders,
      boolean bySender,
      Tallies tallies,
      LongSupplier wallMillis) {
    this(streams, new Periods(window), senders, bySender, tallies, wallMillis);
  }

  Coverage(
      List<String> streams,
      Periods periods,
      int senders,
      boolean bySender,
      Tallies tallies,
      LongSupplier wallMillis) {
    this.streams = streams;
    this.periods = periods;
    this.senders = senders;
    this.tally = new Tally(periods, streams.size(), senders, bySender);
    this.tallies = tallies;
    this.wallMillis = wallMillis;
    this.settledHere = Summary.empty(0, streams.size());
    this.columns = new Columns(streams, streams);
    this.mismatch = new MismatchWatch(streams);
    this.reports = new Reports(streams, periods, senders);
  }

  /** How the bridges share their counts, where they have this window. */
  public static Tallies.Bounds bounds(Duration window, int senders) {
    return new Tallies.Bounds(new Periods(window).lengthMillis(), senders);
  }

  /**
   * The ledger has counted a batch of a stream. What it had counted before is not counted again.
   */
  public void counted(MessageBatch batch, int stream, Judgement.Counted counted) {
    Sightings sightings = counted.sightings();
    if (sightings != null) {
      tally.count(batch, stream, counted, sightings, Tallies.tokenOf(counted.epoch()));
      mismatch.samples().offer(batch, stream, counted.kept());
    }
  }

  /** So many messages pass without having been compared. */
  public void passed(long messages) {
    tally.doubt(messages, wallMillis.getAsLong() + storeAhead);
  }

  /**
   * Adds what was counted, settles what is over, and learns what others have settled.
   *
   * @throws LedgerUnavailableException where the store can't be asked; what was counted is kept
   */
  public void runOnce() throws LedgerUnavailableException {
    Tallies.Added added = addAll(false);
    if (!added.epoch().equals(knownEpoch)) {
      knownEpoch = added.epoch();
      knownSettled = Tallies.NO_PERIOD;
      known = new Reports.Known(List.of(), List.of(), added);
    }
    settleOldest(added);
    if (added.settled() != knownSettled) {
      learn(added);
    } else {
      known = new Reports.Known(known.fine(), known.hours(), added);
    }
    if (added.nowMillis() - comparedAtMillis >= COMPARE_MILLIS) {
      comparedAtMillis = added.nowMillis();
      compareStreams(added);
    }
  }

  /**
   * Adds what was counted last, and adds nothing any more.
   *
   * @throws LedgerUnavailableException where the store can't be asked; what was counted is lost
   */
  public void leave() throws LedgerUnavailableException {
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
    long takenAt = partsTakenAtMillis;
    if (outbox.isEmpty()) {
      outbox.addAll(tally.take());
      takenAt = known.added() == null ? 0 : storeMillis();
      partsTakenAtMillis = takenAt;
    }
    while (!outbox.isEmpty()) {
      Tally.Part part = outbox.getFirst();
      // The number is the same until an answer came: a call that failed may have been executed.
      Tallies.Added added = countBy(tallies.add(addition(part, sequence + 1)));
      sequence++;
      outbox.removeFirst();
      if (part.wantsNames() && added.closed()) {
        tally.close(part.period(), added.names());
      }
    }
    // A number of its own each time: what was added last must not be taken for its repetition.
    sequence++;
    Tallies.Added added = countBy(tallies.add(standing(takenAt, leaving)));
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

  /** The store's time as of its last answer, so that this bridge's clock does not matter. */
  private long storeMillis() {
    Tallies.@Nullable Added last = known.added();
    return last == null ? 0 : last.nowMillis();
  }

  private Tallies.Addition addition(Tally.Part part, long number) {
    Map<String, String> senders = new LinkedHashMap<>();
    part.senders().forEach((name, counts) -> senders.put(name, columns.share(counts)));
    return new Tallies.Addition(
        part.token(),
        columns.shared(),
        number,
        0,
        false,
        tally.mostCopies(),
        part.period(),
        part.overflowed(),
        part.wantsNames(),
        part.doubtful(),
        columns.share(part.totals()),
        senders);
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
            periods.at(added.nowMillis() - Reports.FINE.toMillis() - periods.windowMillis()),
            hour,
            comparable ? hourWith(summary, hour).text() : "",
            hour - HOURS,
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

  private void learn(Tallies.Added added) throws LedgerUnavailableException {
    long keepFrom =
        periods.at(added.nowMillis() - Reports.FINE.toMillis() - periods.windowMillis());
    TreeMap<Long, Summary> fine = new TreeMap<>();
    known.fine().forEach(summary -> fine.put(summary.number(), summary));
    for (String text : tallies.history(knownSettled)) {
      Summary summary = read(text);
      fine.put(summary.number(), summary);
    }
    fine.headMap(keepFrom).clear();
    List<Summary> hours = new ArrayList<>();
    for (String text : tallies.hours()) {
      hours.add(read(text));
    }
    if (knownSettled != Tallies.NO_PERIOD) {
      List<Summary> news = new ArrayList<>(fine.tailMap(knownSettled, false).values());
      news.add(settledHere);
      settledHere = Summary.sum(0, streams.size(), news, 0);
    }
    knownSettled = added.settled();
    known = new Reports.Known(List.copyOf(fine.values()), hours, added);
  }

  private Summary read(String text) {
    return Summary.parse(text, columns.shared().size()).seenBy(columns);
  }

  /** Looks for streams that share nothing, in what was settled lately. */
  private void compareStreams(Tallies.Added added) {
    long from = periods.at(added.nowMillis() - MISMATCH_RANGE.toMillis() - periods.windowMillis());
    List<Summary> recent = known.fine().stream().filter(each -> each.number() >= from).toList();
    mismatch.look(Summary.sum(0, streams.size(), recent, 0));
  }

  /** Streams that share almost nothing though both bring much. Any thread. */
  public List<Mismatch> mismatches() {
    return mismatch.current();
  }

  /** Messages of the periods that were settled since this bridge runs. Any thread. */
  public long messages() {
    return settledHere.messages();
  }

  /** What a stream missed of these. Any thread. */
  public long missed(int stream) {
    return settledHere.missed(stream);
  }

  /**
   * What the streams missed lately. The same from every bridge, but for the second or so in which
   * one of them learns of it.
   *
   * @param since for how long before the end of what is settled; a day at most
   */
  public CoverageReport report(Duration since) {
    return reports.of(known, since, storeAhead);
  }
}
