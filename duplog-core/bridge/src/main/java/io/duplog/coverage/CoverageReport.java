package io.duplog.coverage;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * A report on the messages that each stream missed in a span of time that is over. A copy that
 * arrives after settling can no longer be matched.
 *
 * @param window maximum delay of a copy
 * @param from beginning of the stretch, or null if nothing is settled yet
 * @param settledUntil end of the stretch, or null if nothing is settled yet
 * @param doubtful number of messages that could not be compared, for instance while Redis was
 *     unavailable. Each stream's misses may be overstated by this number, and not by more.
 * @param parts number of the ledger's parts
 * @param partial parts with missing messages, because their store is unavailable or has restarted
 *     empty; the figures about the other messages stay exact
 * @param lostByAll estimate of the messages that were lost on both of two streams. Null if there is
 *     no estimate, as for times that are summed by the hour.
 * @param streams the misses of each configured stream
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
   * Selects the senders that a report names.
   *
   * @param senders test for the senders' addresses, or null for those with the most missed messages
   *     or the most messages
   * @param maxCount maximum number of senders to name
   */
  public record Named(@Nullable Predicate<String> senders, int maxCount) {
    /** The senders that the status page names. */
    static final Named TOP_SENDERS = new Named(null, 20);
  }

  /**
   * A part of the ledger whose messages are missing for some or all of a report's time. While all
   * parts are unavailable, all are listed, and the report ends where the outage began.
   *
   * @param part number of the part
   * @param from beginning of the time for which the report contains the part's messages, or null if
   *     it contains none
   * @param settledUntil end of that time, or null if there is none
   */
  public record Partial(int part, @Nullable Instant from, @Nullable Instant settledUntil) {}

  /**
   * The misses of one stream.
   *
   * @param messages number of messages that arrived on any stream
   * @param missed number of these messages that did not arrive on this stream
   * @param missedAtLeast number of messages that the stream certainly missed: the sum over the
   *     ledger's parts of each part's misses minus its uncompared messages
   * @param senders the named senders, sorted by missed messages and then by messages
   * @param others all other senders together
   */
  public record Stream(
      String stream,
      long messages,
      long missed,
      long missedAtLeast,
      List<Sender> senders,
      Sender others) {

    /**
     * Returns the percentage of messages that the stream missed, or 0 if there were no messages.
     */
    public double missedPercent() {
      return percent(missed, messages);
    }

    /**
     * Returns the percentage of messages that the stream certainly missed, or 0 if there were no
     * messages.
     */
    double missedAtLeastPercent() {
      return percent(missedAtLeast, messages);
    }
  }

  /**
   * The misses of one stream from one sender.
   *
   * @param sender address of the sender, or empty if it is unknown
   */
  public record Sender(String sender, long messages, long missed) {
    /**
     * Returns the percentage of the sender's messages that the stream missed, or 0 if there were no
     * messages.
     */
    public double missedPercent() {
      return percent(missed, messages);
    }
  }

  /** Whether all messages of the reported time were compared. False if nothing is settled yet. */
  public boolean complete() {
    return settledUntil != null && doubtful == 0 && partial.isEmpty();
  }

  /**
   * Whether no messages arrived on a stream, although messages arrived on others. Always false if a
   * part is missing, because messages of that part may have arrived on the stream.
   */
  public boolean isAbsent(Stream stream) {
    return stream.messages() > 0 && stream.missed() == stream.messages() && partial.isEmpty();
  }

  private static double percent(long part, long whole) {
    return whole == 0 ? 0 : 100.0 * part / whole;
  }
}
