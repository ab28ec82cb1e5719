package io.duplog.coverage.senders;

import com.google.common.primitives.ImmutableLongArray;
import com.google.common.primitives.Longs;
import java.time.Duration;

/**
 * Which of the numbers that a sender gives its messages came, as far as that tells how many
 * messages nobody has. A run of numbers ends when the sender begins anew. Immutable.
 *
 * @param base number of the first message that was seen: from the next one on, each is expected
 *     once
 * @param highest greatest number that came
 * @param highestMillis when that message was published
 * @param came how many numbers above the base came
 * @param strange how many of these were too far from the others to be of one device
 * @param missing how many numbers were missing when earlier runs ended
 * @see "docs/decisions/sender-numbers.md"
 */
record MessageNumbers(
    long base, long highest, long highestMillis, long came, long strange, long missing) {
  static final MessageNumbers NONE = new MessageNumbers(0, 0, 0, 0, 0, 0);

  /** Greatest distance below the highest number at which a later message is merely out of order. */
  private static final long DISORDER = 100;

  /** A sender that begins anew has numbers below this part of the highest one. */
  private static final int RESTART = 10;

  /** A run is believed if at most one number in so many is strange. */
  private static final int FEW_STRANGE = 10;

  /** Least part of the numbers from its first to its last that a bridge sees of one run at once. */
  private static final int THIN = 100;

  /** What a bridge saw at once of one run is behind others by so many times its length at most. */
  private static final int BEHIND = 10;

  private static final long CLOCKS_DIFFER = Duration.ofSeconds(30).toMillis();

  /** Greatest gap that can be one of losses; beyond it the sender has begun to count elsewhere. */
  private static final long GREATEST_GAP = 1_000_000;

  /** Least number of messages of a run by which it is believed. */
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
   * Returns these numbers and more, in any order.
   *
   * @param more numbers of messages that are delivered, each message once
   * @param uncounted greatest number of messages of which nobody knows whether each is there once,
   *     so that the run begins anew; 0 if there are none
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

  /** Whether numbers that came together are not of one device, or of another one than before. */
  private boolean isStrange(ImmutableLongArray more, long top) {
    long length = top - more.stream().min().orElse(top);
    return length > DISORDER + (long) THIN * more.length()
        || top < highest - DISORDER - BEHIND * length;
  }

  private MessageNumbers beginning(long first, long millis) {
    return new MessageNumbers(first, first, millis, 0, 0, allMissing());
  }

  /**
   * Returns how many numbers are missing. Of a run of which less came than is missing, or much is
   * strange, none are: several devices behind one address count each for itself.
   */
  long allMissing() {
    return missing + missingInRun();
  }

  private long missingInRun() {
    long gap = highest - base - came;
    return came >= FEW && gap > 0 && gap <= came && FEW_STRANGE * strange <= came ? gap : 0;
  }
}
