package io.duplog.coverage;

import io.duplog.dedup.Judgement;
import io.duplog.dedup.LedgerUnavailableException;
import io.duplog.dedup.Sightings;
import io.duplog.dedup.Tallies;
import io.duplog.wire.MessageBatch;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.LongSupplier;

/**
 * What one bridge adds to the counts that all bridges share, in one part of the ledger: counted as
 * it is judged, handed over later, each portion once.
 *
 * <p>{@link #counted} and {@link #passed} may be called by any thread, the rest by one.
 */
final class Contribution {
  private final List<String> streams;
  private final Tally tally;
  private final Tallies tallies;
  private final LongSupplier wallMillis;

  private final Deque<Tally.Portion> outbox = new ArrayDeque<>();
  private long sequence;
  private long portionsTakenAtMillis;
  private Columns columns;
  private boolean asked;

  /** The store's clock at its last answer; 0 before the first. */
  private long storeMillis;

  /** The store's clock less this host's, in milliseconds, as far as known. */
  private volatile long storeAhead;

  Contribution(List<String> streams, Tally tally, Tallies tallies, LongSupplier wallMillis) {
    this.streams = streams;
    this.tally = tally;
    this.tallies = tallies;
    this.wallMillis = wallMillis;
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
      // By which streams all bridges count, before anything is added.
      sequence++;
      countBy(tallies.add(standing(0, false)));
      asked = true;
    }
    long takenAt = portionsTakenAtMillis;
    if (outbox.isEmpty()) {
      outbox.addAll(tally.take());
      // By the store's last answer, so that this bridge's clock does not matter.
      takenAt = storeMillis;
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
    storeMillis = added.nowMillis();
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
}
