package io.duplog.senders;

import com.google.common.primitives.Longs;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Statistics of a sample of a sender's headers. Immutable.
 *
 * @param read how many messages were looked at lately; of the messages that a bridge hands over
 *     together, only one is looked at
 * @param malformed how many of these have no priority, or no time that can be trusted
 * @param late how many of these were a minute or more further behind than the one before, so that
 *     they probably waited
 * @param aheadMillis by how much the times of the others are ahead of the node's clock
 * @param lastMillis by how much the last of these times was ahead
 */
public record Headers(long read, long malformed, long late, long aheadMillis, long lastMillis) {
  /** Reads the headers of messages, one at a time. */
  public interface Reader {
    /** Value for a header that has no priority, or no time that can be trusted. */
    long MALFORMED = Long.MIN_VALUE;

    /**
     * Returns by how many milliseconds the header's time is ahead of the message's receipt; or
     * {@link #MALFORMED}.
     *
     * @param end offset after the message
     */
    long aheadMillis(byte[] data, int start, int end, long receivedMillis);

    /**
     * Returns the number that the sender gave the message; a negative one if it gave none.
     *
     * @param end offset after the message
     */
    long number(byte[] data, int start, int end);
  }

  static final Headers NONE = new Headers(0, 0, 0, 0, 0);

  /**
   * Divisor of a change that lowers {@link #aheadMillis}, because the message may only have waited.
   */
  private static final int DAMPING = 4;

  /**
   * Value of {@link #read} from which on all counts are halved, so that old messages lose weight.
   */
  private static final long MOST_READ = 1_000;

  private static final long OFF = Duration.ofMinutes(1).toMillis();
  private static final long ZONES = Duration.ofMinutes(30).toMillis();
  private static final long FURTHEST_ZONE = Duration.ofHours(14).toMillis();

  /** Parses text that {@link #text} has written; {@link SenderRecord#parse} refuses all other. */
  static Headers parse(String text) {
    long[] numbers = SenderRecord.numbers(text);
    return new Headers(numbers[0], numbers[1], numbers[2], numbers[3], numbers[4]);
  }

  /** Returns the headers as one word. */
  String text() {
    return Longs.join(",", read, malformed, late, aheadMillis, lastMillis);
  }

  /**
   * Returns these statistics with one header added.
   *
   * @param ahead what {@link Reader#aheadMillis} returned for the header; null if there is none
   */
  Headers plus(@Nullable Long ahead) {
    if (ahead == null) {
      return this;
    }
    int half = read >= MOST_READ ? 2 : 1;
    if (ahead == Reader.MALFORMED) {
      return new Headers(
          read / half + 1, malformed / half + 1, late / half, aheadMillis, lastMillis);
    }
    // A zone is left at once, as where summer time ends.
    boolean isSudden = read == malformed || (isZone(ahead) && isZone(lastMillis));
    long more = ahead - aheadMillis;
    return new Headers(
        read / half + 1,
        malformed / half,
        late / half + (!isSudden && ahead - lastMillis <= -OFF ? 1 : 0),
        isSudden ? ahead : aheadMillis + (more > 0 ? more : more / DAMPING),
        ahead);
  }

  /**
   * Whether the sender's clock or time zone differs from the node's by a minute or more, both on
   * the whole and in the last header.
   */
  public boolean isOff() {
    return Math.abs(aheadMillis) >= OFF && Math.abs(lastMillis) >= OFF;
  }

  /** Whether a wrong time zone alone explains why the sender's clock differs. */
  public boolean isZone() {
    return isOff() && isZone(lastMillis) && Math.abs(aheadMillis - lastMillis) < OFF;
  }

  private static boolean isZone(long millis) {
    long zone = Math.round((double) millis / ZONES) * ZONES;
    return zone != 0 && Math.abs(millis - zone) < OFF && Math.abs(zone) <= FURTHEST_ZONE;
  }
}
