package io.duplog.benchmark.peer;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * What a message of loggen says of itself. No two of a run are equal: each thread, which is a
 * connection, counts its own messages from 0 without a gap.
 *
 * <pre>
 * &lt;38&gt;1 2026-11-21T12:18:10+00:00 localhost prg00000 1234 - [test name="stress17"]
 *   seq: 0000000005, thread: 0003, runid: 1795263490, stamp: 2026-11-21T12:18:10 PADDPADD...
 * </pre>
 *
 * @param run the second at which the program was started
 * @param thread from 0
 * @param sequence from 0
 */
public record LoggenMessage(long run, int thread, long sequence) {
  private static final byte[] SEQUENCE = ascii("seq: ");
  private static final byte[] THREAD = ascii(", thread: ");
  private static final byte[] RUN = ascii(", runid: ");
  private static final int SEQUENCE_DIGITS = 10;
  private static final int THREAD_DIGITS = 4;

  /** The program allots ten places, and fills them from the left. */
  private static final int RUN_DIGITS = 10;

  private static final int LENGTH =
      SEQUENCE.length + SEQUENCE_DIGITS + THREAD.length + THREAD_DIGITS + RUN.length + RUN_DIGITS;

  /** Reads a line of loggen; null where it is none. */
  public static @Nullable LoggenMessage parse(byte[] bytes, int offset, int length) {
    int end = offset + length;
    for (int at = offset; at + LENGTH <= end; at++) {
      if (isAt(bytes, at, SEQUENCE)) {
        return parseFrom(bytes, at);
      }
    }
    return null;
  }

  private static @Nullable LoggenMessage parseFrom(byte[] bytes, int start) {
    int at = start + SEQUENCE.length;
    long sequence = number(bytes, at, SEQUENCE_DIGITS);
    at += SEQUENCE_DIGITS;
    if (!isAt(bytes, at, THREAD)) {
      return null;
    }
    at += THREAD.length;
    long thread = number(bytes, at, THREAD_DIGITS);
    at += THREAD_DIGITS;
    if (!isAt(bytes, at, RUN)) {
      return null;
    }
    long run = number(bytes, at + RUN.length, RUN_DIGITS);
    return sequence < 0 || thread < 0 || run < 0
        ? null
        : new LoggenMessage(run, (int) thread, sequence);
  }

  private static boolean isAt(byte[] bytes, int at, byte[] word) {
    return Arrays.equals(bytes, at, at + word.length, word, 0, word.length);
  }

  /** Digits, and blanks behind them; negative for anything else. */
  private static long number(byte[] bytes, int at, int digits) {
    long number = 0;
    boolean blank = false;
    for (int i = at; i < at + digits; i++) {
      if (bytes[i] == ' ' && i > at) {
        blank = true;
      } else if (blank || bytes[i] < '0' || bytes[i] > '9') {
        return -1;
      } else {
        number = 10 * number + bytes[i] - '0';
      }
    }
    return number;
  }

  private static byte[] ascii(String text) {
    return text.getBytes(StandardCharsets.US_ASCII);
  }
}
