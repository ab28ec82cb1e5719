package io.duplog.dedup;

import java.util.List;
import java.util.Map;

/**
 * Stores how many messages and copies each bridge has counted, so that all bridges can report what
 * each stream missed. Each bridge writes its own counts of a period: messages, and the copies that
 * each stream brought, in total and for each sender. A bridge's counts of a period only grow, and
 * replace its previous ones. A call may therefore be repeated. The bridge that settles a period
 * adds up the counts of all bridges.
 *
 * <p>The counts belong to the ledger's epoch. The counts are lost with the epoch, and when a stream
 * is added or removed. Each method is one atomic step. Thread-safe.
 *
 * @see "docs/decisions/coverage.md#coverage-sums"
 */
public interface Tallies {

  /**
   * The counts and the progress of one bridge.
   *
   * @param streams the counted streams. Nothing is written if the bridges merge other streams.
   * @param number grows with each call of this bridge. A call that arrives after a later one
   *     changes nothing.
   * @param countedUntil time of the store's clock up to which all messages judged by this bridge
   *     are written with this call, or 0 if more will follow
   * @param leaving whether this bridge will write nothing more
   * @param volume limit of messages that this bridge counts between two calls. This many may be
   *     missing if the bridge dies.
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
   * All counts of one bridge for one period.
   *
   * @param token token of the {@link Epoch} in which the messages were counted. Counts of another
   *     epoch are not written.
   * @param period number of the period, or {@link #NO_PERIOD} if there is nothing to write
   * @param unwritten copies in these counts that no confirmed call has written. If the period is
   *     already settled, so many messages can't be compared.
   * @param doubtful number of messages that were not counted, at about the time of this period
   * @param text the counts, as text that the store does not interpret
   */
  record OwnCounts(String token, long period, long unwritten, long doubtful, String text) {
    public static final OwnCounts NOTHING = new OwnCounts("", NO_PERIOD, 0, 0, "");
  }

  /**
   * Time in which the store forgot digests too soon, in milliseconds of its clock: Redis evicted
   * them, or somebody deleted them. A later copy of such a message is counted as a different
   * message, so that neither message can be compared.
   *
   * @param fromMillis the earliest time at which a forgotten message was seen
   * @param untilMillis when the last of them would have expired
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
   *     era the comparison starts over, because the memory was lost or a stream was added or
   *     removed.
   * @param streams the streams that must be counted from now on
   * @param nowMillis time of the store's clock
   * @param beganMillis when the era began, by the store's clock
   * @param settled the last period that was settled, or {@link #NO_PERIOD} if there is none
   * @param oldest the first period that is not settled, or {@link #NO_PERIOD} if there is none
   * @param countedUntil time up to which all messages judged by living bridges have been written
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
   * Request to settle a period, with the summaries to store.
   *
   * @param era the era in which the period was read
   * @param settled the last settled period when this period was read
   * @param period what to store about the period that ends
   * @param hour what to store about the period's hour, including this period
   */
  record Settlement(String era, long settled, Remembered period, Remembered hour) {}

  /**
   * The summary of a period or an hour.
   *
   * @param number number of the period or hour
   * @param summary text to store, or empty for nothing
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
   * Writes a bridge's counts of a period, in place of its previous ones.
   *
   * @throws LedgerUnavailableException if the store can't be asked. The call may have been
   *     executed. A later one may write the same or more.
   */
  State update(Update update) throws LedgerUnavailableException;

  /**
   * Reads the counts of all bridges for an unsettled period. Returns an empty map if there is no
   * such period.
   *
   * @throws LedgerUnavailableException if the store can't be asked
   */
  Map<String, String> read(long period) throws LedgerUnavailableException;

  /**
   * Settles a period, unless another bridge has settled it since it was read.
   *
   * @throws LedgerUnavailableException if the store can't be asked
   */
  void settle(Settlement settlement) throws LedgerUnavailableException;

  /**
   * Returns the times in unsettled periods at which the store forgot digests too soon.
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
