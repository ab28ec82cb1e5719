package io.duplog.coverage;

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
 * What one bridge adds, in one part of the ledger, to the counts that all bridges share. Messages
 * are counted when they are judged, and handed over later, each portion once.
 *
 * <p>{@link #counted} and {@link #passed} may be called from any thread, the other methods by one
 * thread. A lock, which is held for a batch at a time, guards what is counted. The number of
 * periods and of senders bounds its size.
 */
final class Contribution {
  /** Name under which messages of unknown senders are counted; no address looks like this. */
  static final String UNKNOWN = "?";

  /** Most periods for which this bridge has counts at the same time; normally fewer are needed. */
  private static final int MOST_PERIODS = 64;

  private final List<String> streams;
  private final Periods periods;
  private final int mostSenders;
  private final boolean bySender;
  private final Tallies tallies;
  private final LongSupplier wallMillis;

  // Guarded by counts.
  private final TreeMap<Long, PeriodTally> counts = new TreeMap<>();

  /**
   * Senders of the last period that had too many senders; they are the likeliest to matter again.
   */
  private Set<String> favoured = Set.of();

  private String token = "";
  private long copies;

  // Used only by the thread that hands over.
  private final Deque<Portion> outbox = new ArrayDeque<>();
  private long sequence;
  private long portionsTakenAtMillis;
  private StreamMapping columns;
  private boolean asked;
  private long mostCopies;

  /** Time of the store's clock in milliseconds at its last answer; 0 before the first answer. */
  private long storeMillis;

  /** The store's clock minus this host's, in milliseconds; 0 before the store's first answer. */
  private volatile long storeAhead;

  /**
   * @param mostSenders most senders to tell apart in a period
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
    this.columns = new StreamMapping(streams, streams);
  }

  /** Called when the ledger has counted a batch, whose digests' first sightings it reports. */
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
        String sender = bySender ? batch.sender(i) : null;
        tally.count(stream, counted.kept().get(i), sender == null ? UNKNOWN : sender, favoured);
      }
    }
  }

  /** Called when the ledger has not counted messages, so that they can't be compared. */
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

  /** Returns the mapping from this bridge's streams to the streams that the shared sums count. */
  StreamMapping columns() {
    return columns;
  }

  /** Returns the store's time in milliseconds at its last answer; 0 before the first answer. */
  long storeMillis() {
    return storeMillis;
  }

  /**
   * Returns the store's clock minus this host's clock, in milliseconds; 0 before the first answer.
   */
  long storeAhead() {
    return storeAhead;
  }

  /**
   * Adds everything that was counted since the last call.
   *
   * @param leaving whether nothing will be added any more
   * @return the store's answer to the last addition
   * @throws LedgerUnavailableException if the store can't be asked; what was counted is kept
   */
  Tallies.Added handOver(boolean leaving) throws LedgerUnavailableException {
    if (!asked) {
      // The first call adds nothing. It learns by which streams all bridges count, and the store's
      // time. If this bridge said that it has added everything up to time 0, that would hide what
      // is settled.
      sequence++;
      storeMillis = add(sequence, 0, false, Portion.NOTHING).nowMillis();
      asked = true;
    }
    if (outbox.isEmpty()) {
      take();
      // The time of the store's last answer, so that this bridge's clock does not matter.
      portionsTakenAtMillis = storeMillis;
    }
    while (!outbox.isEmpty()) {
      Portion portion = outbox.getFirst();
      // The number stays the same until an answer comes, because a call that failed may have been
      // executed.
      Tallies.Added added = add(sequence + 1, 0, false, portion);
      sequence++;
      outbox.removeFirst();
      if (added.members() != null) {
        close(portion.period(), added.members());
      }
    }
    // A new number each time, because the store must not take this addition for a repeated one.
    sequence++;
    Tallies.Added added = add(sequence, portionsTakenAtMillis, leaving, Portion.NOTHING);
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

  /** Called when the store counts only these senders in a period, and accepts no new senders. */
  private void close(long period, List<String> names) {
    synchronized (counts) {
      PeriodTally tally = counts.get(period);
      if (tally != null) {
        favoured = tally.close(names);
      }
    }
  }

  /**
   * Adds a portion, and learns by which streams all bridges count. The store ignores a portion by
   * other streams, so that all sums have the same order.
   */
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
      columns = new StreamMapping(streams, added.streams());
    }
    return added;
  }
}
