package io.duplog.coverage;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Which stream missed how much of what any stream delivered, over a stretch of time that is over
 * for good: a copy that comes later is too late to be matched.
 *
 * @param window how late a copy may be
 * @param from when the stretch began
 * @param settledUntil its end; null where nothing is settled yet
 * @param doubtful messages that could not be compared, as for a time without Redis: no stream's
 *     misses are overstated by more than these
 * @param streams every configured one, by name
 */
public record CoverageReport(
    Duration window,
    @Nullable Instant from,
    @Nullable Instant settledUntil,
    long doubtful,
    List<Stream> streams) {

  /**
   * What a stream missed.
   *
   * @param messages that any stream delivered
   * @param missed of these
   * @param senders the foremost ones by loss and by volume
   * @param others those of all other senders together
   */
  public record Stream(
      String stream, long messages, long missed, List<Sender> senders, Sender others) {

    /** In percent; 0 where there was nothing to miss. */
    public double missedPercent() {
      return percent(missed, messages);
    }

    /** Whether the stream brought nothing at all though others did. */
    public boolean absent() {
      return messages > 0 && missed == messages;
    }

    /** What it missed in any case, whatever became of the messages that were not compared. */
    public long missedAtLeast(long doubtful) {
      return Math.max(0, missed - doubtful);
    }
  }

  /**
   * What a stream missed of one sender.
   *
   * @param sender its address; empty where the sender is not known
   */
  public record Sender(String sender, long messages, long missed) {
    /** In percent; 0 where there was nothing to miss. */
    public double missedPercent() {
      return percent(missed, messages);
    }
  }

  /** Whether every message was compared. */
  public boolean complete() {
    return settledUntil != null && doubtful == 0;
  }

  private static double percent(long part, long whole) {
    return whole == 0 ? 0 : 100.0 * part / whole;
  }
}
