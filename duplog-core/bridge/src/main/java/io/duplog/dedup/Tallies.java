package io.duplog.dedup;

import java.util.List;
import java.util.Map;

/**
 * Counts that all bridges of a deployment share, stored beside the ledger. Each bridge writes its
 * own counts of a period: messages, the copies of them that each stream brought, and the same for
 * each sender. A bridge's counts of a period only grow, and replace what it wrote before. So a call
 * may be repeated. The bridge that settles a period adds up the counts of all bridges.
 *
 * <p>The counts belong to the ledger's epoch. They vanish with it, and when a stream is added or
 * removed. Each method is one atomic step. Safe for any thread.
 *
 * @see "docs/decisions/coverage.md#coverage-sums"
 */
public interface Tallies {

  /**
   * What one bridge writes, and how far it has come.
   *
   * @param streams the streams that the counts are of; no counts are written if the bridges merge
   *     other streams
   * @param number grows with each call of this bridge; a call that arrives after a later one
   *     changes nothing
   * @param countedUntil time of the store's clock up to which everything that this bridge judged is
   *     written with this call; 0 if more is to come
   * @param leaving whether this bridge will write nothing more
   * @param volume most messages that this bridge counts between two calls, which is how many may be
   *     missing if it dies
   * @param counts the bridge's counts of one period
   */
  record Update(
      List<String> streams,
      long number,
      long countedUntil,
      boolean leaving,
      long volume,
      OwnCounts counts) {}

  /**
   * Everything that one bridge has counted of a period.
   *
   * @param token token of the {@link Epoch} in which the messages were counted; counts of another
   *     epoch are not written
   * @param period number of the period; {@link #NO_PERIOD} if there is nothing to write
   * @param unwritten copies in these counts that no answered call has written. If the period is
   *     settled, so many messages can't be compared.
   * @param doubtful messages that were not counted, at about the time of this period
   * @param text what was counted, as text that the store does not read
   */
  record OwnCounts(String token, long period, long unwritten, long doubtful, String text) {
    public static final OwnCounts NOTHING = new OwnCounts("", NO_PERIOD, 0, 0, "");
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
   * State of the counts after a call.
   *
   * @param era name of the current era: the ledger's token, and a suffix of the store's. In a new
   *     era the comparison begins anew, because the memory was lost or a stream was added or
   *     removed.
   * @param streams the streams that counts must be of from now on
   * @param nowMillis time of the store's clock
   * @param beganMillis when the era began, by the store's clock
   * @param settled the last period that was settled; {@link #NO_PERIOD} if there is none
   * @param oldest the first period that is not settled; {@link #NO_PERIOD} if there is none
   * @param countedUntil time up to which everything that living bridges judged has been written
   */
  record State(
      String era,
      List<String> streams,
      long nowMillis,
      long beganMillis,
      long settled,
      long oldest,
      long countedUntil) {

    /** Returns this state with another period as the last settled one. */
    public State settledUntil(long period) {
      return new State(era, streams, nowMillis, beganMillis, period, oldest, countedUntil);
    }
  }

  /**
   * Request to settle a period, with the summaries to keep of it.
   *
   * @param era the era in which the period was read
   * @param settled the period that was the last settled one when this period was read
   * @param period what to remember of the period that ends
   * @param hour what to remember of the hour that the period belongs to, with this period included
   */
  record Settlement(String era, long settled, Remembered period, Remembered hour) {}

  /**
   * What to remember of a period or of an hour.
   *
   * @param number number of the period or hour
   * @param summary text to remember; empty for nothing
   * @param keepFrom summaries with lower numbers are forgotten
   */
  record Remembered(long number, String summary, long keepFrom) {}

  /**
   * Prefix of the keys of {@link #read} for numbers of messages that were not counted. A bridge's
   * name may follow.
   */
  String DOUBTFUL = "?";

  /** Prefix of the keys of {@link #read} for a bridge's counts. The bridge's name follows. */
  String COUNTS = "=";

  /**
   * Writes what a bridge has counted of a period, in place of what it wrote of that period before.
   *
   * @throws LedgerUnavailableException if the store can't be asked. The call may have been
   *     executed; a later one may write the same or more.
   */
  State update(Update update) throws LedgerUnavailableException;

  /**
   * Reads what all bridges have written of a period that is not settled; empty if there is no such
   * period.
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
}
