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
 * Counts the messages and copies that this bridge sees, and adds these counts once a second to
 * those that all bridges share. Each part of the ledger has an object of its own. Messages are
 * counted when they are judged. Increased counts replace those that this bridge wrote to the store
 * before.
 *
 * <p>{@link #counted} and {@link #uncounted} may be called from any thread. The other methods may
 * be called from one thread only. A lock, which is held for one batch at a time, guards the counts.
 * Their size is limited by the numbers of periods and senders.
 */
final class Contribution {
  /** Name for counts of messages from unknown senders. No address looks like this. */
  static final String UNKNOWN = "?";

  /**
   * Maximum number of periods for which this bridge has counts at the same time. Normally fewer are
   * needed.
   */
  private static final int MAX_PERIODS = 64;

  private final List<String> streams;
  private final Periods periods;
  private final int maxSenders;
  private final boolean countsBySender;
  private final Tallies tallies;
  private final LongSupplier wallMillis;

  // Guarded by counts.
  private final TreeMap<Long, PeriodTally> counts = new TreeMap<>();
  private String token = "";

  /** The top senders of the last settled period, which are the same for all bridges. */
  private volatile Set<String> regularSenders = Set.of();

  // Used only by the thread that calls write.
  private StreamMapping streamMapping;
  private long calls;
  private long recentMaxCopies;

  /**
   * Time of the store's last answer by its clock, in milliseconds, or 0 before the first answer.
   */
  private long storeMillis;

  /** The store's clock minus this host's, in milliseconds, or 0 before the store's first answer. */
  private volatile long storeAheadMillis;

  /**
   * @param maxSenders maximum number of senders with counts of their own in a period, in addition
   *     to the regular ones
   * @param countsBySender whether all streams see the same address of a sender
   */
  Contribution(
      List<String> streams,
      Periods periods,
      int maxSenders,
      boolean countsBySender,
      Tallies tallies,
      LongSupplier wallMillis) {
    this.streams = streams;
    this.periods = periods;
    this.maxSenders = maxSenders;
    this.countsBySender = countsBySender;
    this.tallies = tallies;
    this.wallMillis = wallMillis;
    this.streamMapping = new StreamMapping(streams, streams);
  }

  /** Called when the ledger has counted a batch and returned the first sightings of its digests. */
  void counted(MessageBatch batch, int stream, Judgement.Counted counted, Sightings sightings) {
    synchronized (counts) {
      if (!counted.epoch().token().equals(token)) {
        token = counted.epoch().token();
        counts.replaceAll((period, tally) -> tally.forNewEpoch());
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
        String sender = countsBySender ? batch.sender(i) : null;
        tally.count(stream, counted.kept().get(i), sender == null ? UNKNOWN : sender);
      }
    }
  }

  /** Called when the ledger has not counted messages, which therefore can't be compared. */
  void uncounted(long messages) {
    synchronized (counts) {
      tally(periods.at(wallMillis.getAsLong() + storeAheadMillis)).addDoubtful(messages);
    }
  }

  private PeriodTally tally(long period) {
    PeriodTally tally = counts.get(period);
    if (tally == null) {
      if (counts.size() >= MAX_PERIODS) {
        return counts.lastEntry().getValue();
      }
      tally = new PeriodTally(streams.size(), maxSenders, regularSenders);
      counts.put(period, tally);
    }
    return tally;
  }

  /** Gives these senders counts of their own in each period that begins from now on. */
  void setRegularSenders(List<String> senders) {
    regularSenders = Set.copyOf(senders);
  }

  /** Returns the mapping from this bridge's streams to the streams of the shared sums. */
  StreamMapping streamMapping() {
    return streamMapping;
  }

  /**
   * Returns the time of the store's last answer by its clock, in milliseconds, or 0 before the
   * first answer.
   */
  long storeMillis() {
    return storeMillis;
  }

  /**
   * Returns the store's clock minus this host's clock, in milliseconds, or 0 before the first
   * answer.
   */
  long storeAheadMillis() {
    return storeAheadMillis;
  }

  /**
   * Writes everything that was counted since the last call.
   *
   * @param isLast whether these are the last counts of this bridge
   * @return the store's answer to the last call
   * @throws LedgerUnavailableException if the store is unavailable; the counts are kept
   */
  Tallies.State write(boolean isLast) throws LedgerUnavailableException {
    if (storeMillis == 0) {
      // The first call writes nothing. It learns the shared streams and the store's time. If it
      // claimed that everything up to time 0 was written, settled periods would be hidden.
      storeMillis = call(streamMapping, 0, false, OwnCounts.NOTHING).nowMillis();
    }
    // The time of the store's last answer, so that this bridge's clock does not matter.
    long countedUntil = storeMillis;
    // An answer may change the mapping. Counts that were already converted keep the old one, so
    // that the store recognises counts for other streams and ignores them.
    StreamMapping mapping = streamMapping;
    Map<PeriodTally, OwnCounts> unwritten = unwritten(mapping);
    recentMaxCopies =
        Math.max(
            unwritten.values().stream().mapToLong(OwnCounts::unwritten).sum(),
            recentMaxCopies - recentMaxCopies / 16);
    for (Map.Entry<PeriodTally, OwnCounts> each : unwritten.entrySet()) {
      call(mapping, 0, false, each.getValue());
      synchronized (counts) {
        each.getKey().markWritten(each.getValue());
      }
    }
    Tallies.State state = call(streamMapping, countedUntil, isLast, OwnCounts.NOTHING);
    storeMillis = state.nowMillis();
    storeAheadMillis = state.nowMillis() - wallMillis.getAsLong();
    synchronized (counts) {
      counts.headMap(state.settled(), true).values().removeIf(PeriodTally::isWritten);
    }
    return state;
  }

  private Map<PeriodTally, OwnCounts> unwritten(StreamMapping mapping) {
    Map<PeriodTally, OwnCounts> unwritten = new LinkedHashMap<>();
    synchronized (counts) {
      counts.forEach(
          (period, tally) -> {
            OwnCounts own = tally.unwritten(token, period, mapping);
            if (own != null) {
              unwritten.put(tally, own);
            }
          });
    }
    return unwritten;
  }

  /**
   * Writes counts, and learns the shared streams. The store ignores counts for other streams, so
   * all counts have the same order.
   *
   * @param mapping the order of the counts
   */
  private Tallies.State call(
      StreamMapping mapping, long countedUntil, boolean isLast, OwnCounts own)
      throws LedgerUnavailableException {
    calls++;
    Tallies.State state =
        tallies.update(
            new Tallies.Update(
                mapping.sharedStreams(), calls, countedUntil, isLast, recentMaxCopies, own));
    if (!state.streams().isEmpty() && !state.streams().equals(streamMapping.sharedStreams())) {
      streamMapping = new StreamMapping(streams, state.streams());
    }
    return state;
  }
}
