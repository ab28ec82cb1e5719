package io.duplog.coverage;

import io.duplog.dedup.Judgement;
import io.duplog.dedup.LedgerUnavailableException;
import io.duplog.dedup.Sightings;
import io.duplog.dedup.Tallies;
import io.duplog.dedup.Tallies.OwnCounts;
import io.duplog.wire.MessageBatch;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.LongSupplier;

/**
 * What one bridge has counted in one part of the ledger, of the periods that are not settled.
 * Messages are counted when they are judged. Once a second the counts that have grown replace those
 * that this bridge wrote to the store before.
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
  private String token = "";

  /** The foremost senders of the last settled period, which all bridges know alike. */
  private volatile Set<String> regulars = Set.of();

  // Used only by the thread that writes.
  private StreamMapping columns;
  private long calls;
  private long mostCopies;

  /** Time of the store's clock in milliseconds at its last answer; 0 before the first answer. */
  private long storeMillis;

  /** The store's clock minus this host's, in milliseconds; 0 before the store's first answer. */
  private volatile long storeAhead;

  /**
   * @param mostSenders most senders to tell apart in a period, beside the regular ones
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
        counts.replaceAll((period, tally) -> tally.ofNewEpoch());
        counts.values().removeIf(PeriodTally::isWritten);
      }
      long generation = 0;
      PeriodTally tally = null;
      for (int i = 0; i < batch.count(); i++) {
        long seen = sightings.generation(i);
        if (tally == null || seen != generation) {
          generation = seen;
          tally = tally(periods.ofGeneration(seen));
        }
        String sender = bySender ? batch.sender(i) : null;
        tally.count(stream, counted.kept().get(i), sender == null ? UNKNOWN : sender);
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
      tally = new PeriodTally(streams.size(), mostSenders, regulars);
      counts.put(period, tally);
    }
    return tally;
  }

  /** Gives these senders a place in each period that begins from now on. */
  void favour(List<String> senders) {
    regulars = Set.copyOf(senders);
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
   * Writes everything that was counted since the last call.
   *
   * @param leaving whether nothing will be written any more
   * @return the store's answer to the last call
   * @throws LedgerUnavailableException if the store can't be asked; what was counted is kept
   */
  Tallies.State write(boolean leaving) throws LedgerUnavailableException {
    if (storeMillis == 0) {
      // The first call writes nothing. It learns by which streams all bridges count, and the
      // store's time. If this bridge said that it has written everything up to time 0, that would
      // hide what is settled.
      storeMillis = call(columns, 0, false, OwnCounts.NOTHING).nowMillis();
    }
    // The time of the store's last answer, so that this bridge's clock does not matter.
    long countedUntil = storeMillis;
    // An answer may change the columns. What was arranged before keeps its own, so that the store
    // recognises counts by other streams and ignores them.
    StreamMapping arranged = columns;
    Map<PeriodTally, OwnCounts> unwritten = unwritten(arranged);
    mostCopies =
        Math.max(
            unwritten.values().stream().mapToLong(OwnCounts::unwritten).sum(),
            mostCopies - mostCopies / 16);
    for (Map.Entry<PeriodTally, OwnCounts> each : unwritten.entrySet()) {
      call(arranged, 0, false, each.getValue());
      synchronized (counts) {
        each.getKey().wrote(each.getValue());
      }
    }
    Tallies.State state = call(columns, countedUntil, leaving, OwnCounts.NOTHING);
    storeMillis = state.nowMillis();
    storeAhead = state.nowMillis() - wallMillis.getAsLong();
    synchronized (counts) {
      counts.headMap(state.settled(), true).values().removeIf(PeriodTally::isWritten);
    }
    return state;
  }

  private Map<PeriodTally, OwnCounts> unwritten(StreamMapping arranged) {
    Map<PeriodTally, OwnCounts> unwritten = new LinkedHashMap<>();
    synchronized (counts) {
      counts.forEach(
          (period, tally) -> {
            OwnCounts own = tally.unwritten(token, period, arranged);
            if (own != null) {
              unwritten.put(tally, own);
            }
          });
    }
    return unwritten;
  }

  /**
   * Writes counts, and learns by which streams all bridges count. The store ignores counts by other
   * streams, so that all have the same order.
   *
   * @param arranged the order in which the counts are
   */
  private Tallies.State call(
      StreamMapping arranged, long countedUntil, boolean leaving, OwnCounts own)
      throws LedgerUnavailableException {
    calls++;
    Tallies.State state =
        tallies.update(
            new Tallies.Update(
                arranged.sharedStreams(), calls, countedUntil, leaving, mostCopies, own));
    if (!state.streams().isEmpty() && !state.streams().equals(columns.sharedStreams())) {
      columns = new StreamMapping(streams, state.streams());
    }
    return state;
  }
}
