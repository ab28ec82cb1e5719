package io.duplog.senders;

import com.google.common.primitives.ImmutableLongArray;
import com.google.common.primitives.Longs;
import java.time.Duration;

/**
 * Finds out from the numbers that a sender gives its messages how many of them arrived on no
 * stream. A run of numbers ends when the sender restarts its count. Immutable.
 *
 * @param base first number of the run; each higher number is expected once
 * @param highest greatest number that arrived
 * @param highestMillis when that message was published
 * @param arrived how many numbers above the base arrived
 * @param strange how many of these were too far from the others to come from the same device
 * @param missing how many numbers were missing at the end of all earlier runs
 * @see "docs/decisions/senders.md#sender-numbers"
 */
record MessageNumbers(
    long base, long highest, long highestMillis, long arrived, long strange, long missing) {
  static final MessageNumbers NONE = new MessageNumbers(0, 0, 0, 0, 0, 0);

  /**
   * Distance by which numbers may be out of order without counting as {@linkplain #strange
   * strange}.
   */
  private static final long MAX_DISORDER = 100;

  /**
   * Divisor of the highest number; a number below the quotient may mean that the sender has
   * restarted its count.
   */
  private static final int RESTART_DIVISOR = 10;

  /** A run counts if at most one in this many messages is strange. */
  private static final int MESSAGES_PER_STRANGE = 10;

  /**
   * Maximum range of numbers that arrived together, for each number; above it, the numbers are
   * strange.
   */
  private static final int MAX_RANGE_PER_NUMBER = 100;

  /**
   * Numbers that arrived together are strange if they are below the highest number by more than
   * this many times their own range.
   */
  private static final int MAX_RANGES_BELOW = 10;

  private static final long MAX_CLOCK_DIFFERENCE = Duration.ofSeconds(30).toMillis();

  /** Greatest gap that losses can explain; after a greater one, a new run begins. */
  private static final long MAX_GAP = 1_000_000;

  /** Minimum number of messages in a run that counts. */
  private static final long MIN_MESSAGES = 100;

  /** Parses the output of {@link #text}; {@link SenderRecord#parse} rejects any other text. */
  static MessageNumbers parse(String text) {
    long[] parsed = SenderRecord.numbers(text);
    return new MessageNumbers(parsed[0], parsed[1], parsed[2], parsed[3], parsed[4], parsed[5]);
  }

  /** Returns these statistics as one word. */
  String text() {
    return Longs.join(",", base, highest, highestMillis, arrived, strange, missing);
  }

  /**
   * Returns these statistics with more numbers added, in any order.
   *
   * @param more numbers of the delivered messages, each message once
   * @param uncounted greatest number that was not counted, or 0 if all were counted. A number is
   *     not counted if its message may have been delivered twice, or if there was no room. A new
   *     run begins after that number.
   * @param firstMillis when the first of these messages was published
   * @param lastMillis when the last of them was published
   */
  MessageNumbers plus(ImmutableLongArray more, long uncounted, long firstMillis, long lastMillis) {
    long top = Math.max(uncounted, more.stream().max().orElse(0));
    if (top == 0) {
      return this;
    }
    boolean restarted =
        top < highest / RESTART_DIVISOR && firstMillis > highestMillis + MAX_CLOCK_DIFFERENCE;
    if (restarted || top > highest + MAX_GAP || highest == 0) {
      return startRun(top, lastMillis);
    }
    if (uncounted > 0) {
      return startRun(Math.max(top, highest), lastMillis);
    }
    long above = more.stream().filter(number -> number > base).count();
    return new MessageNumbers(
        base,
        Math.max(highest, top),
        top > highest ? lastMillis : highestMillis,
        arrived + above,
        isStrange(more, top) ? strange + above : strange,
        missing);
  }

  /**
   * Whether numbers that arrived together probably come from several devices, or from another
   * device than the run.
   */
  private boolean isStrange(ImmutableLongArray more, long top) {
    long length = top - more.stream().min().orElse(top);
    return length > MAX_DISORDER + (long) MAX_RANGE_PER_NUMBER * more.length()
        || top < highest - MAX_DISORDER - MAX_RANGES_BELOW * length;
  }

  private MessageNumbers startRun(long first, long millis) {
    return new MessageNumbers(first, first, millis, 0, 0, totalMissing());
  }

  /**
   * Returns how many numbers are missing in all runs. A run does not count if it is short, if more
   * numbers are missing than arrived, or if many are strange. Several devices behind one address
   * may each have their own count.
   */
  long totalMissing() {
    return missing + missingInRun();
  }

  private long missingInRun() {
    long gap = highest - base - arrived;
    return arrived >= MIN_MESSAGES
            && gap > 0
            && gap <= arrived
            && MESSAGES_PER_STRANGE * strange <= arrived
        ? gap
        : 0;
  }
}
