package io.duplog.coverage;

import io.duplog.dedup.Tallies.OwnCounts;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Counts the messages and copies that this bridge has seen in one period, in total and for each
 * sender. The counts never decrease. Not thread-safe.
 *
 * <p>A sender has either counts of its own for the whole period or none. This keeps a sender's own
 * counts complete.
 */
final class PeriodTally {
  private final int streamCount;
  private final int maxSenders;
  private final Set<String> regularSenders;
  private final long[] totals;
  private final Map<String, long[]> senders = new HashMap<>();
  private long doubtfulMessages;

  /** Copies and doubtful messages that answered calls have written to the store. */
  private long writtenCopies;

  /**
   * @param maxSenders maximum number of senders with counts of their own, in addition to the
   *     regular ones; the first senders get them
   * @param regularSenders senders that always have counts of their own
   */
  PeriodTally(int streamCount, int maxSenders, Set<String> regularSenders) {
    this.streamCount = streamCount;
    this.maxSenders = maxSenders;
    this.regularSenders = regularSenders;
    this.totals = new long[1 + 2 * streamCount];
  }

  void count(int stream, boolean isDelivered, String sender) {
    totals[1 + stream]++;
    totals[isDelivered ? 0 : 1 + streamCount + stream]++;
    long[] row = row(sender);
    row[1 + stream]++;
    row[0] += isDelivered ? 1 : 0;
  }

  private long[] row(String sender) {
    long[] row = senders.get(sender);
    if (row != null) {
      return row;
    }
    boolean hasOwnCounts = senders.size() < maxSenders || regularSenders.contains(sender);
    return senders.computeIfAbsent(
        hasOwnCounts ? sender : Summary.OTHERS, added -> new long[1 + streamCount]);
  }

  /**
   * Returns the tally for the start of a new epoch. The store has no counts of the new epoch.
   * Messages that were not counted stay doubtful in any epoch. Doubtful messages that were already
   * written are written again, so their number may be too high, and never too low.
   */
  PeriodTally forNewEpoch() {
    PeriodTally next = new PeriodTally(streamCount, maxSenders, regularSenders);
    next.doubtfulMessages = doubtfulMessages;
    return next;
  }

  void addDoubtful(long messages) {
    doubtfulMessages += messages;
  }

  private long unwrittenCopies() {
    return Arrays.stream(totals, 1, 1 + streamCount).sum() + doubtfulMessages - writtenCopies;
  }

  boolean isWritten() {
    return unwrittenCopies() == 0;
  }

  /**
   * Returns all counts in the store's format, or null if the store already has them.
   *
   * @param token token of the epoch to which the counts belong
   */
  @Nullable OwnCounts unwritten(String token, long period, StreamMapping columns) {
    return isWritten()
        ? null
        : new OwnCounts(
            token,
            period,
            unwrittenCopies(),
            doubtfulMessages,
            new Summary(period, 0, totals, senders).map(columns::toShared).text());
  }

  /** Called when the store has answered the call that wrote these counts. */
  void markWritten(OwnCounts counts) {
    writtenCopies += counts.unwritten();
  }
}
