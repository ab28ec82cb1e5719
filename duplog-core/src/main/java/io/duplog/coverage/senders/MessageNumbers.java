package io.duplog.coverage.senders;

import com.google.common.primitives.ImmutableLongArray;
import java.time.Duration;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.LongStream;

/**
 * Which of the numbers that a sender gives its messages came, as far as that tells how many
 * messages nobody has. A run of numbers ends when the sender begins anew. Immutable.
 *
 * @param base number of the first message that was seen: from the next one on, each is expected
 *     once
 * @param highest greatest number that came
 * @param highestMillis when that message was published
 * @param came how many numbers above the base came
 * @param missing how many numbers were missing when earlier runs ended
 * @see "docs/decisions/sender-numbers.md"
 */
record MessageNumbers(long base, long highest, long highestMillis, long came, long missing) {
  static final MessageNumbers NONE = new MessageNumbers(0, 0, 0, 0, 0);

  /** Greatest distance below the highest number at which a later message is merely out of order. */
  private static final long DISORDER = 100;

  private static final long CLOCKS_DIFFER = Duration.ofSeconds(30).toMillis();

  /** Greatest gap that can be one of losses; beyond it the sender has begun to count elsewhere. */
  private static final long GREATEST_GAP = 1_000_000;

  /** Least number of messages of a run by which it is believed. */
  private static final long FEW = 100;

  /**
   * Parses text that {@link #text} has written.
   *
   * @throws IllegalArgumentException if the text is another one
   */
  static MessageNumbers parse(String text) {
    List<Long> numbers = SenderRecord.numbers(text, 5);
    return new MessageNumbers(
        numbers.get(0), numbers.get(1), numbers.get(2), numbers.get(3), numbers.get(4));
  }

  /** Returns the numbers as one word. */
  String text() {
    return LongStream.of(base, highest, highestMillis, came, missing)
        .mapToObj(Long::toString)
        .collect(Collectors.joining(","));
  }

  /**
   * Returns these numbers and more, in any order.
   *
   * @param more numbers of messages that are delivered, each message once
   * @param firstMillis when the first of these messages was published
   * @param lastMillis when the last of them was published
   */
  MessageNumbers plus(ImmutableLongArray more, long firstMillis, long lastMillis) {
    if (more.isEmpty()) {
      return this;
    }
    long top = more.stream().max().orElseThrow();
    if (highest == 0) {
      return new MessageNumbers(top, top, lastMillis, 0, missing);
    }
    if (top < highest - DISORDER && firstMillis > highestMillis + CLOCKS_DIFFER) {
      return new MessageNumbers(top, top, lastMillis, 0, missing + missingInRun());
    }
    if (top > highest + GREATEST_GAP) {
      return new MessageNumbers(top, top, lastMillis, 0, missing);
    }
    return new MessageNumbers(
        base,
        Math.max(highest, top),
        top > highest ? lastMillis : highestMillis,
        came + more.stream().filter(number -> number > base).count(),
        missing);
  }

  /**
   * Returns how many numbers are missing. Of a run of which less came than is missing, none are:
   * several devices behind one address count each for itself.
   */
  long allMissing() {
    return missing + missingInRun();
  }

  private long missingInRun() {
    long gap = highest - base - came;
    return came >= FEW && gap > 0 && gap <= came ? gap : 0;
  }
}
