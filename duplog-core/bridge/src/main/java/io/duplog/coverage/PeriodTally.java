package io.duplog.coverage;

import io.duplog.dedup.Tallies.OwnCounts;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What this bridge has counted of one period so far. Grows only. Not safe for threads.
 *
 * <p>Each sender has a place of its own, or none for the whole period. So the counts of a sender
 * with a place are complete.
 */
final class PeriodTally {
  private final int streams;
  private final int mostSenders;
  private final Set<String> regulars;
  private final long[] totals;
  private final Map<String, long[]> senders = new HashMap<>();
  private long doubtfulMessages;

  /** Copies and doubtful messages that answered calls have written to the store. */
  private long writtenCopies;

  /**
   * @param mostSenders number of senders that get a place because they come first
   * @param regulars senders that have a place in any case
   */
  PeriodTally(int streams, int mostSenders, Set<String> regulars) {
    this.streams = streams;
    this.mostSenders = mostSenders;
    this.regulars = regulars;
    this.totals = new long[1 + 2 * streams];
  }

  void count(int stream, boolean kept, String sender) {
    totals[1 + stream]++;
    totals[kept ? 0 : 1 + streams + stream]++;
    long[] row = row(sender);
    row[1 + stream]++;
    row[0] += kept ? 1 : 0;
  }

  private long[] row(String sender) {
    long[] row = senders.get(sender);
    if (row != null) {
      return row;
    }
    boolean hasPlace = senders.size() < mostSenders || regulars.contains(sender);
    return senders.computeIfAbsent(
        hasPlace ? sender : Summary.OTHERS, added -> new long[1 + streams]);
  }

  /**
   * Returns the tally with which a new epoch begins: the store knows no counts of it, and messages
   * that were not counted are a doubt in any epoch. A doubt that was already written is written
   * again, so it may be too high, and never too low.
   */
  PeriodTally ofNewEpoch() {
    PeriodTally next = new PeriodTally(streams, mostSenders, regulars);
    next.doubtfulMessages = doubtfulMessages;
    return next;
  }

  void doubt(long messages) {
    doubtfulMessages += messages;
  }

  private long unwrittenCopies() {
    return Arrays.stream(totals, 1, 1 + streams).sum() + doubtfulMessages - writtenCopies;
  }

  boolean isWritten() {
    return unwrittenCopies() == 0;
  }

  /**
   * Returns all counts as the store takes them; null if it has them.
   *
   * @param token token of the epoch in which they were counted
   */
  @Nullable OwnCounts unwritten(String token, long period, StreamMapping columns) {
    return isWritten()
        ? null
        : new OwnCounts(
            token,
            period,
            unwrittenCopies(),
            doubtfulMessages,
            new Summary(period, 0, totals, senders).map(columns::shared).text());
  }

  /** Called when the store has answered the call that wrote these counts. */
  void wrote(OwnCounts counts) {
    writtenCopies += counts.unwritten();
  }
}
