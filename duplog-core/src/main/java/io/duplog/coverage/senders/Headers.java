package io.duplog.coverage.senders;

import java.time.Duration;
import java.time.ZoneOffset;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What some of a sender's headers say. Immutable.
 *
 * @param read how many messages were looked at: one of those that a bridge hands over at once
 * @param malformed how many of these have no priority, or no time that can be trusted
 * @param aheadMillis by how much the times of the others are ahead of the node's clock
 */
public record Headers(long read, long malformed, long aheadMillis) {
  /** Reads the headers of messages, one at a time. */
  public interface Reader {
    /** Says that a header has no priority, or no time that can be trusted. */
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

  static final Headers NONE = new Headers(0, 0, 0);

  /** Divides by how much a time is further behind, because the message may have waited. */
  private static final int DAMPING = 4;

  private static final long OFF = Duration.ofMinutes(1).toMillis();
  private static final long ZONES = Duration.ofMinutes(15).toMillis();
  private static final long FURTHEST_ZONE = Duration.ofHours(14).toMillis();

  /**
   * Parses text that {@link #text} has written.
   *
   * @throws IllegalArgumentException if the text is another one
   */
  static Headers parse(String text) {
    List<Long> numbers = SenderRecord.numbers(text, 3);
    return new Headers(numbers.get(0), numbers.get(1), numbers.get(2));
  }

  /** Returns the headers as one word. */
  String text() {
    return read + "," + malformed + "," + aheadMillis;
  }

  /**
   * Returns what these and one more header say.
   *
   * @param ahead what {@link Reader#aheadMillis} says; null if there is no other header
   */
  Headers plus(@Nullable Long ahead) {
    if (ahead == null) {
      return this;
    }
    if (ahead == Reader.MALFORMED) {
      return new Headers(read + 1, malformed + 1, aheadMillis);
    }
    boolean isFirst = read == malformed;
    long more = ahead - aheadMillis;
    return new Headers(
        read + 1, malformed, isFirst ? ahead : aheadMillis + (more > 0 ? more : more / DAMPING));
  }

  /** Whether the sender's clock, or its time zone, is not ours. */
  public boolean isOff() {
    return Math.abs(aheadMillis) >= OFF;
  }

  /** Returns the time zone in which the sender's clock would be right; null if there is none. */
  public @Nullable ZoneOffset zone() {
    long zone = Math.round((double) aheadMillis / ZONES) * ZONES;
    return isOff() && Math.abs(aheadMillis - zone) < OFF && Math.abs(zone) <= FURTHEST_ZONE
        ? ZoneOffset.ofTotalSeconds((int) Duration.ofMillis(zone).toSeconds())
        : null;
  }
}
