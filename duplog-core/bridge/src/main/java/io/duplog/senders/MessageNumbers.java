package io.duplog.senders;

import com.google.common.primitives.ImmutableLongArray;
import com.google.common.primitives.Longs;
import java.time.Duration;

/**
 * Counts of the numbers that a sender gives its messages, from which follows how many messages no
 * stream brought. A run of numbers ends when the sender begins to count anew. Immutable.
 *
 * @param base number with which the run begins; each higher number is expected once
 * @param highest greatest number that came
 * @param highestMillis when that message was published
 * @param came how many numbers above the base came
 * @param strange how many of these were too far from the others to be of one device
 * @param missing how many numbers were missing when earlier runs ended
 * @see "docs/decisions/senders.md#sender-numbers"
 */
record MessageNumbers(
    long base, long highest, long highestMillis, long came, long strange, long missing) {
  static final MessageNumbers NONE = new MessageNumbers(0, 0, 0, 0, 0, 0);

  /** Distance by which numbers may be out of order without being {@linkplain #strange strange}. */
  private static final long DISORDER = 100;

  /**
   * Divisor of the highest number; a number below the quotient may show that the sender has begun
   * anew.
   */
  private static final int RESTART = 10;

  /**
   * Number of messages of a run among which at most one may be strange for the run to be trusted.
   */
  private static final int FEW_STRANGE = 10;

  /**
   * Factor between the range and the count of numbers that came together, above which they are
   * strange.
   */
  private static final int THIN = 100;

  /**
   * Numbers that came together are strange if they are below the highest number by more than this
   * many times their own range.
   */
  private static final int BEHIND = 10;

  private static final long CLOCKS_DIFFER = Duration.ofSeconds(30).toMillis();

  /**
   * Greatest leap of the numbers that can be due to losses; after a greater one, a new run begins.
   */
  private static final long GREATEST_GAP = 1_000_000;

  /** Least number of messages of a run for the run to be trusted. */
  private static final long FEW = 100;

  /** Parses text that {@link #text} has written; {@link SenderRecord#parse} refuses all other. */
  static MessageNumbers parse(String text) {
    long[] parsed = SenderRecord.numbers(text);
    return new MessageNumbers(parsed[0], parsed[1], parsed[2], parsed[3], parsed[4], parsed[5]);
  }

  /** Returns the numbers as one word. */
  String text() {
    return Longs.join(",", base, highest, highestMillis, came, strange, missing);
  }

  /**
   * Returns these counts with more numbers added, in any order.
   *
   * @param more numbers of messages that are delivered, each message once
   * @param uncounted greatest number of messages that were not counted because they may have been
   *     delivered twice or there was no room, so that a new run begins; 0 if there are none
   * @param firstMillis when the first of these messages was published
   * @param lastMillis when the last of them was published
   */
  MessageNumbers plus(ImmutableLongArray more, long uncounted, long firstMillis, long lastMillis) {
    long top = Math.max(uncounted, more.stream().max().orElse(0));
    if (top == 0) {
      return this;
    }
    boolean restarted = top < highest / RESTART && firstMillis > highestMillis + CLOCKS_DIFFER;
    if (restarted || top > highest + GREATEST_GAP || highest == 0) {
      return beginning(top, lastMillis);
    }
    if (uncounted > 0) {
      return beginning(Math.max(top, highest), lastMillis);
    }
    long above = more.stream().filter(number -> number > base).count();
    return new MessageNumbers(
        base,
        Math.max(highest, top),
        top > highest ? lastMillis : highestMillis,
        came + above,
        isStrange(more, top) ? strange + above : strange,
        missing);
  }

  /**
   * Whether numbers that came together are probably of several devices, or of another device than
   * the run.
   */
  private boolean isStrange(ImmutableLongArray more, long top) {
    long length = top - more.stream().min().orElse(top);
    return length > DISORDER + (long) THIN * more.length()
        || top < highest - DISORDER - BEHIND * length;
  }

  private MessageNumbers beginning(long first, long millis) {
    return new MessageNumbers(first, first, millis, 0, 0, allMissing());
  }

  /**
   * Returns how many numbers are missing in all runs. A run adds nothing if it is short, if fewer
   * numbers came than are missing, or if many are strange, because several devices behind one
   * address may each count for themselves.
   */
  long allMissing() {
    return missing + missingInRun();
  }

  private long missingInRun() {
    long gap = highest - base - came;
    return came >= FEW && gap > 0 && gap <= came && FEW_STRANGE * strange <= came ? gap : 0;
  }
}
