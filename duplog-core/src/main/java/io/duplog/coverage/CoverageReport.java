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
 * @param parts how many parts the ledger has
 * @param partial those of which messages are missing, since their store is away or began anew: what
 *     is said of the other messages is as exact as ever
 * @param streams every configured one, by name
 */
public record CoverageReport(
    Duration window,
    @Nullable Instant from,
    @Nullable Instant settledUntil,
    long doubtful,
    int parts,
    List<Partial> partial,
    List<Stream> streams) {

  /**
   * A part of the ledger whose messages are not in a report all the time, or no longer: while all
   * are away, all are listed, and the report ends where they went.
   *
   * @param part its number
   * @param from when the stretch began in which they are; null where there is none
   * @param settledUntil its end; null where there is none
   */
  public record Partial(int part, @Nullable Instant from, @Nullable Instant settledUntil) {}

  /**
   * What a stream missed.
   *
   * @param messages that any stream delivered
   * @param missed of these
   * @param missedAtLeast by the parts of the ledger: what it missed of each one's messages in any
   *     case, whatever became of those of that part that were not compared
   * @param senders the foremost ones by loss and by volume
   * @param others those of all other senders together
   */
  public record Stream(
      String stream,
      long messages,
      long missed,
      long missedAtLeast,
      List<Sender> senders,
      Sender others) {

    /** In percent; 0 where there was nothing to miss. */
    public double missedPercent() {
      return percent(missed, messages);
    }

    /** What it missed in any case, in percent; 0 where there was nothing to miss. */
    double missedAtLeastPercent() {
      return percent(missedAtLeast, messages);
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
    return settledUntil != null && doubtful == 0 && partial.isEmpty();
  }

  /**
   * Whether a stream brought nothing at all though others did. Where a part is missing that is not
   * said, since the stream may have brought what is missing.
   */
  public boolean isAbsent(Stream stream) {
    return stream.messages() > 0 && stream.missed() == stream.messages() && partial.isEmpty();
  }

  private static double percent(long part, long whole) {
    return whole == 0 ? 0 : 100.0 * part / whole;
  }
}
