package io.duplog.senders;

import com.google.common.primitives.Longs;

/**
 * The number and length of all messages that one sender has sent since it was first heard.
 * Immutable.
 *
 * @param messages number of delivered messages, each counted once
 * @param bytes their total length
 * @param refused number of messages that the sink permanently refused and that became dead letters
 * @param longest length of the longest message, in bytes
 * @param equallyLong number of messages with exactly this length
 */
public record Totals(long messages, long bytes, long refused, long longest, long equallyLong) {
  static final Totals NONE = new Totals(0, 0, 0, 0, 0);

  /**
   * Length of the shortest message that counts as cut. RFC 3164 allows 1,024 bytes, and a
   * terminating zero may take one of them.
   */
  private static final long MIN_CUT_LENGTH = 1_023;

  /**
   * Minimum number of equally long messages whose length counts as a limit and not as a
   * coincidence.
   */
  private static final long MIN_CUT_MESSAGES = 3;

  /** Parses the output of {@link #text}; {@link SenderRecord#parse} rejects any other text. */
  static Totals parse(String text) {
    long[] numbers = SenderRecord.numbers(text);
    return new Totals(numbers[0], numbers[1], numbers[2], numbers[3], numbers[4]);
  }

  /** Returns the totals as one word. */
  String text() {
    return Longs.join(",", messages, bytes, refused, longest, equallyLong);
  }

  /** Returns the sum of these totals and others. */
  Totals plus(Totals more) {
    return new Totals(
        messages + more.messages,
        bytes + more.bytes,
        refused + more.refused,
        Math.max(longest, more.longest),
        (longest >= more.longest ? equallyLong : 0)
            + (more.longest >= longest ? more.equallyLong : 0));
  }

  /**
   * Returns the number of messages that a relay or another program has probably cut. The longest
   * messages count as cut if they have the length of a typical buffer: a power of two, or one byte
   * less.
   */
  public long cut() {
    boolean isBuffer = Long.bitCount(longest) == 1 || Long.bitCount(longest + 1) == 1;
    return isBuffer && longest >= MIN_CUT_LENGTH && equallyLong >= MIN_CUT_MESSAGES
        ? equallyLong
        : 0;
  }
}
