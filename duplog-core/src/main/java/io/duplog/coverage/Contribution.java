package io.duplog.coverage;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import io.duplog.dedup.Judgement;
import io.duplog.dedup.LedgerUnavailableException;
import io.duplog.dedup.Sightings;
import io.duplog.dedup.Tallies;
import io.duplog.dedup.Tallies.Portion;
import io.duplog.wire.MessageBatch;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.LongSupplier;

/**
 * What one bridge adds to the counts that all bridges share, in one part of the ledger: counted as
 * it is judged, handed over later, each portion once.
 *
 * <p>{@link #counted} and {@link #passed} may be called by any thread, the rest by one. What is
 * counted is guarded by a lock, which is held for a batch at a time, and bounded: by periods, which
 * end, and by senders.
 */
final class Contribution {
  /** Of messages whose sender is not known; no address. */
  static final String UNKNOWN = "?";

  /** Longer ones are no addresses. */
  private static final int LONGEST_SENDER = 64;

  /** Periods that can be under way at once, with room to spare. */
  private static final int MOST_PERIODS = 64;

  private final List<String> streams;
  private final Periods periods;
  private final int mostSenders;
  private final boolean bySender;
  private final Tallies tallies;
  private final LongSupplier wallMillis;

  // Guarded by counts.
  private final TreeMap<Long, PeriodTally> counts = new TreeMap<>();

  /** Senders of the last period that had too many. They are the likeliest to matter again. */
  private Set<String> favoured = Set.of();

  private String token = "";
  private long copies;

  // By the thread that hands over.
  private final Deque<Portion> outbox = new ArrayDeque<>();
  private long sequence;
  private long portionsTakenAtMillis;
  private Columns columns;
  private boolean asked;
  private long mostCopies;

  /** The store's clock at its last answer; 0 before the first. */
  private long storeMillis;

  /** The store's clock less this host's, in milliseconds, as far as known. */
  private volatile long storeAhead;

  /**
   * @param mostSenders to tell apart in a period
   * @param bySender whether all streams see the same address of a sender
   */
  Contribution(
      List<String> streams,
      Periods periods,
      int mostSenders,
      boolean bySender,
      Tallies tallies,
      LongSupplier wallMillis) {
    this.streams = streams;
    this.periods = periods;
    this.mostSenders = mostSenders;
    this.bySender = bySender;
    this.tallies = tallies;
    this.wallMillis = wallMillis;
    this.columns = new Columns(streams, streams);
  }

  /** The ledger has counted a batch of a stream, now, which is when it tells of sightings. */
  void counted(MessageBatch batch, int stream, Judgement.Counted counted, Sightings sightings) {
    synchronized (counts) {
      if (!counted.epoch().token().equals(token)) {
        token = counted.epoch().token();
        counts.clear();
      }
      copies += batch.count();
      long generation = 0;
      PeriodTally tally = null;
      for (int i = 0; i < batch.count(); i++) {
        long seen = sightings.generation(i);
        if (tally == null || seen != generation) {
          generation = seen;
          tally = tally(periods.ofGeneration(seen));
        }
        String sender = bySender ? sender(batch, i) : UNKNOWN;
        tally.count(stream, counted.kept().get(i), sender, favoured);
      }
    }
  }

  private static String sender(MessageBatch batch, int message) {
    int start = batch.start(message);
    int length = batch.textStart(message) - 1 - start;
    return length > 0 && length <= LONGEST_SENDER
        ? new String(batch.data(), start, length, ISO_8859_1)
        : UNKNOWN;
  }

  /** So many messages pass without having been compared. */
  void passed(long messages) {
    synchronized (counts) {
      tally(periods.at(wallMillis.getAsLong() + storeAhead)).doubt(messages);
    }
  }

  private PeriodTally tally(long period) {
    PeriodTally tally = counts.get(period);
    if (tally == null) {
      if (counts.size() >= MOST_PERIODS) {
        return counts.lastEntry().getValue();
      }
      tally = new PeriodTally(streams.size(), mostSenders);
      counts.put(period, tally);
    }
    return tally;
  }

  /** How this bridge's streams stand among those by which all bridges count. */
  Columns columns() {
    return columns;
  }

  /** The store's clock at its last answer; 0 before the first. */
  long storeMillis() {
    return storeMillis;
  }

  /** The store's clock less this host's, in milliseconds, as far as known. */
  long storeAhead() {
    return storeAhead;
  }

  /**
   * Adds everything that was counted since the last time.
   *
   * @param leaving whether nothing will be added any more
   * @return the store's answer to the last of it
   * @throws LedgerUnavailableException where the store can't be asked; what was counted is kept
   */
  Tallies.Added handOver(boolean leaving) throws LedgerUnavailableException {
    if (!asked) {
      // By which streams all bridges count, before anything is added, and what time it is: that
      // this bridge has added everything up to no time at all would hide what is settled.
      sequence++;
      storeMillis = add(sequence, 0, false, Portion.NOTHING).nowMillis();
      asked = true;
    }
    long takenAt = portionsTakenAtMillis;
    if (outbox.isEmpty()) {
      take();
      // By the store's last answer, so that this bridge's clock does not matter.
      takenAt = storeMillis;
      portionsTakenAtMillis = takenAt;
    }
    while (!outbox.isEmpty()) {
      Portion portion = outbox.getFirst();
      // The number is the same until an answer came: a call that failed may have been executed.
      Tallies.Added added = add(sequence + 1, 0, false, portion);
      sequence++;
      outbox.removeFirst();
      if (added.members() != null) {
        close(portion.period(), added.members());
      }
    }
    // A number of its own each time: what was added last must not be taken for its repetition.
    sequence++;
    Tallies.Added added = add(sequence, takenAt, leaving, Portion.NOTHING);
    storeMillis = added.nowMillis();
    storeAhead = added.nowMillis() - wallMillis.getAsLong();
    synchronized (counts) {
      counts.headMap(added.settled(), true).values().removeIf(PeriodTally::isEmpty);
    }
    return added;
  }

  private void take() {
    synchronized (counts) {
      mostCopies = Math.max(copies, mostCopies - mostCopies / 16);
      copies = 0;
      counts.forEach(
          (period, tally) -> {
            if (!tally.isEmpty()) {
              outbox.addAll(tally.take(token, period));
            }
          });
    }
  }

  /** The store takes no other senders than these for a period. */
  private void close(long period, List<String> names) {
    synchronized (counts) {
      PeriodTally tally = counts.get(period);
      if (tally != null) {
        favoured = tally.close(names);
      }
    }
  }

  /** What is added by other streams than all bridges' is not added, so that sums have one order. */
  private Tallies.Added add(long number, long countedUntil, boolean leaving, Portion portion)
      throws LedgerUnavailableException {
    Tallies.Added added =
        tallies.add(
            new Tallies.Addition(
                columns.shared(),
                number,
                countedUntil,
                leaving,
                mostCopies,
                columns.share(portion)));
    if (!added.streams().isEmpty() && !added.streams().equals(columns.shared())) {
      columns = new Columns(streams, added.streams());
    }
    return added;
  }
}
