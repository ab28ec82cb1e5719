package io.duplog.coverage.senders;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.util.Arrays;

/**
 * Finds the number that a sender gave a message: Cisco's ({@code <189>000123: *Mar 1 00:01:02:
 * %SYS-5-CONFIG_I: text}) or RFC 5424's {@code sequenceId}.
 */
final class MessageNumber {
  static final long NONE = -1;

  private static final int MOST_DIGITS = 15;

  /** Bytes after Cisco's number among which a mnemonic has to be. */
  private static final int CISCO_HEADER = 120;

  /** Spaces between RFC 5424's version and its structured data. */
  private static final int HEADER_FIELDS = 6;

  private static final int STRUCTURED_DATA = 500;
  private static final byte[] SEQUENCE_ID = "sequenceId=\"".getBytes(US_ASCII);

  private MessageNumber() {}

  /**
   * Returns the number of a message, or {@link #NONE}.
   *
   * @param end offset after the message
   */
  static long of(byte[] data, int start, int end) {
    int at = start < end && data[start] == '<' ? behindDigits(data, start + 1, end) + 1 : start;
    int behind = behindDigits(data, at, end);
    if (behind == at || behind + 1 >= end) {
      return NONE;
    }
    if (data[behind] == ':' && data[behind + 1] == ' ') {
      return hasMnemonic(data, behind, Math.min(end, behind + CISCO_HEADER))
          ? number(data, at, behind)
          : NONE;
    }
    return data[at] == '1' && data[behind] == ' ' ? sequenceId(data, behind, end) : NONE;
  }

  private static int behindDigits(byte[] data, int start, int end) {
    int at = start;
    while (at < end && data[at] >= '0' && data[at] <= '9') {
      at++;
    }
    return at;
  }

  private static long number(byte[] data, int start, int end) {
    if (start == end || end - start > MOST_DIGITS) {
      return NONE;
    }
    long number = 0;
    for (int i = start; i < end; i++) {
      number = 10 * number + data[i] - '0';
    }
    return number;
  }

  /** Whether there is one such as {@code %SYS-5-CONFIG_I}. */
  private static boolean hasMnemonic(byte[] data, int start, int end) {
    boolean begun = false;
    for (int i = start; i + 2 < end; i++) {
      begun = data[i] == '%' || (begun && data[i] != ' ');
      if (begun
          && data[i] == '-'
          && data[i + 2] == '-'
          && data[i + 1] >= '0'
          && data[i + 1] <= '7') {
        return true;
      }
    }
    return false;
  }

  private static long sequenceId(byte[] data, int start, int end) {
    int at = start;
    for (int spaces = 0; at < end && spaces < HEADER_FIELDS; at++) {
      spaces += data[at] == ' ' ? 1 : 0;
    }
    int last = Math.min(end, at + STRUCTURED_DATA) - SEQUENCE_ID.length;
    if (at >= end || data[at] != '[') {
      return NONE;
    }
    for (int i = at; i < last; i++) {
      if (data[i] == 's' && startsWithSequenceId(data, i)) {
        int digits = i + SEQUENCE_ID.length;
        return number(data, digits, behindDigits(data, digits, end));
      }
    }
    return NONE;
  }

  private static boolean startsWithSequenceId(byte[] data, int at) {
    return Arrays.equals(data, at, at + SEQUENCE_ID.length, SEQUENCE_ID, 0, SEQUENCE_ID.length);
  }
}
