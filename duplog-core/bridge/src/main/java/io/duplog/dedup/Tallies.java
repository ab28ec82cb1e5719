package io.duplog.dedup;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Sums that all bridges of a deployment share, stored beside the ledger: the messages of a period,
 * the copies of them that each stream brought, and the same for each sender. The sums belong to the
 * ledger's epoch. They vanish with it, and when a stream is added or removed. Each method is one
 * atomic step. Safe for any thread.
 *
 * <p>Counts travel as vectors, which are numbers separated by spaces and which the store adds up. A
 * sender is a name without a space.
 *
 * @see "docs/decisions/coverage.md#coverage-sums"
 */
public interface Tallies {

  /**
   * What one bridge adds to the sums, and how far it has come.
   *
   * @param streams the streams that the vectors count; nothing is added if the bridges merge other
   *     streams
   * @param sequence grows with each call of this bridge; a call that repeats the last sequence is
   *     not added again
   * @param countedUntil time of the store's clock up to which everything that this bridge judged is
   *     added with this call; 0 if more is to come
   * @param leaving whether this bridge will add nothing more
   * @param volume most messages that this bridge adds between two calls, which is how many may be
   *     missing if it dies
   * @param portion the counts to add
   */
  record Addition(
      List<String> streams,
      long sequence,
      long countedUntil,
      boolean leaving,
      long volume,
      Portion portion) {}

  /**
   * Counts of one period that one bridge has made since its last call.
   *
   * @param token token of the {@link Epoch} in which the messages were counted; counts of another
   *     epoch are not added
   * @param period number of the period; {@link #NO_PERIOD} if there is nothing to add
   * @param overflowed whether there were more senders than {@code senders} names, so that the
   *     period accepts no new senders from now on
   * @param wantsNames whether to answer with the senders of a period that accepts no new ones
   * @param doubtful messages that were not counted, at about the time of this period
   * @param totals vector of all senders together; empty if there is nothing to add
   * @param senders vector of each sender, by the sender's name
   */
  record Portion(
      String token,
      long period,
      boolean overflowed,
      boolean wantsNames,
      long doubtful,
      String totals,
      Map<String, String> senders) {
    public static final Portion NOTHING = new Portion("", NO_PERIOD, false, false, 0, "", Map.of());
  }

  /**
   * Time in which the store forgot digests too soon, in milliseconds of its clock: Redis evicted
   * them, or somebody deleted them. A later copy of such a message is counted as if it were another
   * message, so that neither can be compared.
   *
   * @param fromMillis when the first of the forgotten messages was seen, at the earliest
   * @param untilMillis when the last of them would have been forgotten anyway
   */
  record Forgotten(long fromMillis, long untilMillis) {
    public static final Forgotten NOTHING = new Forgotten(Long.MAX_VALUE, Long.MIN_VALUE);

    /** Returns the time from the earlier beginning to the later end. */
    public Forgotten with(Forgotten other) {
      return new Forgotten(
          Math.min(fromMillis, other.fromMillis), Math.max(untilMillis, other.untilMillis));
    }

    /** Whether messages first seen from a time until before another time can't be compared. */
    public boolean concerns(long startMillis, long endMillis) {
      return startMillis < untilMillis && endMillis > fromMillis;
    }
  }

  /** Period number that means "no period"; real period numbers are never negative. */
  long NO_PERIOD = -1;

  /**
   * State of the sums after an addition.
   *
   * @param era name of the current era: the ledger's token, and a suffix of the store's. In a new
   *     era the comparison begins anew, because the memory was lost or a stream was added or
   *     removed.
   * @param streams the streams that vectors must count from now on
   * @param nowMillis time of the store's clock
   * @param beganMillis when the era began, by the store's clock
   * @param settled the last period that was settled; {@link #NO_PERIOD} if there is none
   * @param oldest the first period that is not settled; {@link #NO_PERIOD} if there is none
   * @param countedUntil time up to which everything that living bridges judged has been added
   * @param members names of the period's senders; null unless they were wanted and the period
   *     accepts no new ones
   */
  record Added(
      String era,
      List<String> streams,
      long nowMillis,
      long beganMillis,
      long settled,
      long oldest,
      long countedUntil,
      @Nullable List<String> members) {}

  /**
   * Request to settle a period, with the summaries to keep of it.
   *
   * @param era the era in which the period was read
   * @param settled the period that was the last settled one when this period was read
   * @param period what to remember of the period that ends
   * @param hour what to remember of the hour that the period belongs to, with this period included
   * @param regulars senders that get a place in every period that begins from now on
   */
  record Settlement(
      String era, long settled, Remembered period, Remembered hour, List<String> regulars) {}

  /**
   * What to remember of a period or of an hour.
   *
   * @param number number of the period or hour
   * @param summary text to remember; empty for nothing
   * @param keepFrom summaries with lower numbers are forgotten
   */
  record Remembered(long number, String summary, long keepFrom) {}

  /** Key in the map from {@link #read} for the counts of all senders together. */
  String TOTALS = "t";

  /** Key in the map from {@link #read} for the number of messages that were not counted. */
  String DOUBTFUL = "?";

  /** Key that is in the map from {@link #read} only if the period accepts no new senders. */
  String CLOSED = "x";

  /**
   * Prefix of the fields of {@link #read} that hold a sender's vector; the sender's name follows.
   */
  String SENDER = ":";

  /**
   * Adds what a bridge has counted.
   *
   * @throws LedgerUnavailableException if the store can't be asked. The addition has to be repeated
   *     unchanged, because it may have been executed.
   */
  Added add(Addition addition) throws LedgerUnavailableException;

  /**
   * Reads all fields of a period that is not settled; empty if there is no such period.
   *
   * @throws LedgerUnavailableException if the store can't be asked
   */
  Map<String, String> read(long period) throws LedgerUnavailableException;

  /**
   * Ends a period, unless another bridge has ended it since it was read.
   *
   * @throws LedgerUnavailableException if the store can't be asked
   */
  void settle(Settlement settlement) throws LedgerUnavailableException;

  /**
   * Returns when the store forgot digests too soon, as far as that concerns what is not settled.
   *
   * @throws LedgerUnavailableException if the store can't be asked
   */
  Forgotten forgotten() throws LedgerUnavailableException;

  /**
   * Returns the summaries of the settled periods that follow a period, oldest first.
   *
   * @throws LedgerUnavailableException if the store can't be asked
   */
  List<String> history(long afterPeriod) throws LedgerUnavailableException;

  /**
   * Returns the summaries of hours, oldest first.
   *
   * @throws LedgerUnavailableException if the store can't be asked
   */
  List<String> hours() throws LedgerUnavailableException;

  /**
   * Length of a period in milliseconds, and the most senders in a period; the same for all bridges.
   */
  record Bounds(long periodMillis, int senders) {}
}
