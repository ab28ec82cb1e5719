package io.duplog.dedup;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Sums that all bridges of a deployment share beside the ledger: how many messages there were in a
 * period, how many copies of them each stream brought, and the same for each sender. They belong to
 * the ledger's epoch and vanish with it, and where a stream is added or removed. Each method is one
 * atomic step. Safe for any thread.
 *
 * <p>Counts travel as numbers separated by spaces; to the store they are vectors to be added up,
 * and senders are names without a space.
 */
public interface Tallies {

  /**
   * What one bridge adds, and how it stands.
   *
   * @param streams by which the vectors are; where bridges merge others they are not added
   * @param sequence greater with each call of this bridge; a repetition with the same one is not
   *     added again
   * @param countedUntil all that this bridge had judged by this time of the store's clock is added
   *     with this call; 0 where more is to come
   * @param leaving whether this bridge adds nothing any more
   * @param volume most messages that this bridge adds between two calls: so many may be missing
   *     should it die
   * @param portion what is added
   */
  record Addition(
      List<String> streams,
      long sequence,
      long countedUntil,
      boolean leaving,
      long volume,
      Portion portion) {}

  /**
   * What one bridge has counted of one period since its last call.
   *
   * @param token of the {@link Epoch} in which it was counted; what belongs to another one is not
   *     added
   * @param period which one; {@link #NO_PERIOD} where there is nothing to add
   * @param overflowed whether there were more senders than {@code senders} names: then the period
   *     takes no other names from now on
   * @param wantsNames whether to answer with the senders of a period that takes no others
   * @param doubtful messages that were not counted, at about the time of this period
   * @param totals of all senders together; empty for none
   * @param senders for each its name and its vector
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

  /** Where there is none. Times and numbers of periods are never negative. */
  long NO_PERIOD = -1;

  /**
   * How things stand after an addition.
   *
   * @param era the present one: the ledger's token, and more that is the store's affair. With
   *     another one all comparison has begun anew, since the memory was lost or a stream was added
   *     or removed.
   * @param streams by which vectors are to be from now on
   * @param nowMillis the store's clock
   * @param beganMillis when the era began, by the same clock
   * @param settled the last period that was settled; {@link #NO_PERIOD} where none was
   * @param oldest the first that is not; {@link #NO_PERIOD} where there is none
   * @param countedUntil all that living bridges had judged by this time has been added
   * @param members the period's senders, where it takes no others and they were asked for; else
   *     null
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
   * Ends a period.
   *
   * @param era in which it was read
   * @param settled the period that was settled last when it was read
   * @param period the one to end
   * @param hour the hour that it belongs to, this period included
   * @param regulars senders that have a place in every period that begins from now on
   */
  record Settlement(
      String era, long settled, Remembered period, Remembered hour, List<String> regulars) {}

  /**
   * What to remember of a period, or of an hour.
   *
   * @param number which one
   * @param summary empty for nothing
   * @param keepFrom summaries of those before this one are forgotten
   */
  record Remembered(long number, String summary, long keepFrom) {}

  /** Field of {@link #read}: the vector of all senders together. */
  String TOTALS = "t";

  /** Field of {@link #read}: messages that were not counted. */
  String DOUBTFUL = "?";

  /** Field of {@link #read}: there, where the period takes no other senders. */
  String CLOSED = "x";

  /** What a sender's name stands behind among the fields of {@link #read}. */
  String SENDER = ":";

  /**
   * Adds what a bridge has counted.
   *
   * @throws LedgerUnavailableException where the store can't be asked; the same call has to be
   *     repeated, since it may have been executed
   */
  Added add(Addition addition) throws LedgerUnavailableException;

  /**
   * All fields of a period that is not settled; empty where there is no such period.
   *
   * @throws LedgerUnavailableException where the store can't be asked
   */
  Map<String, String> read(long period) throws LedgerUnavailableException;

  /**
   * Ends a period, unless another bridge has done so since it was read.
   *
   * @throws LedgerUnavailableException where the store can't be asked
   */
  void settle(Settlement settlement) throws LedgerUnavailableException;

  /**
   * Summaries of the settled periods after this one, oldest first.
   *
   * @throws LedgerUnavailableException where the store can't be asked
   */
  List<String> history(long afterPeriod) throws LedgerUnavailableException;

  /**
   * Summaries of hours, oldest first.
   *
   * @throws LedgerUnavailableException where the store can't be asked
   */
  List<String> hours() throws LedgerUnavailableException;

  /** What each addition is to be judged by, the same for all bridges. */
  record Bounds(long periodMillis, int senders) {}
}
