package io.duplog.senders;

import com.google.common.primitives.Longs;

/**
 * What was delivered of a sender in all. Immutable.
 *
 * @param messages number of messages, each counted once
 * @param bytes their length
 * @param refused how often the sink refused a message for good, so that it became a dead letter
 * @param longest length of the longest message, in bytes
 * @param asLong how many messages are exactly as long as that
 */
public record Totals(long messages, long bytes, long refused, long longest, long asLong) {
  static final Totals NONE = new Totals(0, 0, 0, 0, 0);

  /**
   * Shortest message that counts as cut: RFC 3164 allows 1,024 bytes, of which a closing zero may
   * take one.
   */
  private static final long SHORTEST_CUT = 1_023;

  /**
   * Number of equally long messages from which on their length counts as a limit, not as a
   * coincidence.
   */
  private static final long LEAST_CUT = 3;

  /** Parses text that {@link #text} has written; {@link SenderRecord#parse} refuses all other. */
  static Totals parse(String text) {
    long[] numbers = SenderRecord.numbers(text);
    return new Totals(numbers[0], numbers[1], numbers[2], numbers[3], numbers[4]);
  }

  /** Returns the totals as one word. */
  String text() {
    return Longs.join(",", messages, bytes, refused, longest, asLong);
  }

  /** Returns the sum of both. */
  Totals plus(Totals more) {
    return new Totals(
        messages + more.messages,
        bytes + more.bytes,
        refused + more.refused,
        Math.max(longest, more.longest),
        (longest >= more.longest ? asLong : 0) + (more.longest >= longest ? more.asLong : 0));
  }

  /**
   * Returns how many messages a program on the way seems to have cut: those that are the longest
   * and have the length of a usual buffer, a power of two or one byte less.
   */
  public long cut() {
    boolean isBuffer = Long.bitCount(longest) == 1 || Long.bitCount(longest + 1) == 1;
    return isBuffer && longest >= SHORTEST_CUT && asLong >= LEAST_CUT ? asLong : 0;
  }
}
