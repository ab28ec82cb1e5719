package io.duplog.coverage;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * How many of the messages that any stream delivered each stream missed, in a settled stretch of
 * time. A copy that comes after settling can no longer be matched.
 *
 * @param window how late a copy may be
 * @param from beginning of the stretch; null if nothing is settled yet
 * @param settledUntil end of the stretch; null if nothing is settled yet
 * @param doubtful messages that could not be compared, for instance while Redis was away; no
 *     stream's misses are overstated by more than these
 * @param parts number of the ledger's parts
 * @param partial the parts of which messages are missing, because their store is away or began
 *     anew. What the report says of the other messages is as exact as ever.
 * @param lostByAll estimate of the messages that neither of two streams brought; null if there is
 *     none, as for times that are summed by the hour
 * @param streams what each configured stream missed
 */
public record CoverageReport(
    Duration window,
    @Nullable Instant from,
    @Nullable Instant settledUntil,
    long doubtful,
    int parts,
    List<Partial> partial,
    @Nullable LostByAll lostByAll,
    List<Stream> streams) {

  /**
   * Says which senders a report names.
   *
   * @param senders test for their addresses; null for those with the most loss or the most messages
   * @param most number of senders to name at most
   */
  public record Named(@Nullable Predicate<String> senders, int most) {
    /** The senders that the page names. */
    static final Named FOREMOST = new Named(null, 20);
  }

  /**
   * A part of the ledger whose messages are missing for some or all of a report's time. While all
   * parts are away, all are listed, and the report ends where they went away.
   *
   * @param part number of the part
   * @param from beginning of the time for which the part's messages are in the report; null if
   *     there is none
   * @param settledUntil end of that time; null if there is none
   */
  public record Partial(int part, @Nullable Instant from, @Nullable Instant settledUntil) {}

  /**
   * What a stream missed.
   *
   * @param messages number of messages that any stream delivered
   * @param missed number of these messages that this stream did not bring
   * @param missedAtLeast what the stream missed in any case: the sum over the ledger's parts, where
   *     each part's uncompared messages are subtracted from its misses
   * @param senders the foremost senders by loss and by volume
   * @param others all other senders together
   */
  public record Stream(
      String stream,
      long messages,
      long missed,
      long missedAtLeast,
      List<Sender> senders,
      Sender others) {

    /** Returns the percentage of messages that the stream missed; 0 if there were no messages. */
    public double missedPercent() {
      return percent(missed, messages);
    }

    /**
     * Returns the share of messages that the stream missed in any case, in percent; 0 if there were
     * none.
     */
    double missedAtLeastPercent() {
      return percent(missedAtLeast, messages);
    }
  }

  /**
   * What a stream missed of one sender.
   *
   * @param sender address of the sender; empty if it is not known
   */
  public record Sender(String sender, long messages, long missed) {
    /**
     * Returns the share of the sender's messages that the stream missed, in percent; 0 if there
     * were none.
     */
    public double missedPercent() {
      return percent(missed, messages);
    }
  }

  /** Whether all messages of the reported time were compared; false if nothing is settled yet. */
  public boolean complete() {
    return settledUntil != null && doubtful == 0 && partial.isEmpty();
  }

  /**
   * Whether a stream brought nothing at all though others did. Always false if a part is missing,
   * because the stream may have brought messages of that part.
   */
  public boolean isAbsent(Stream stream) {
    return stream.messages() > 0 && stream.missed() == stream.messages() && partial.isEmpty();
  }

  private static double percent(long part, long whole) {
    return whole == 0 ? 0 : 100.0 * part / whole;
  }
}
