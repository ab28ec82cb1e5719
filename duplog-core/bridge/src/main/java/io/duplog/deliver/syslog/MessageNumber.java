package io.duplog.deliver.syslog;

/**
 * Finds the number that a sender gave its message, which reveals missing messages. Reads Cisco's
 * number ({@code <189>000123: *Mar 1 00:01:02: %SYS-5-CONFIG_I: text}), and RFC 5424's {@code
 * sequenceId} in the element {@code meta}. Each thread has one instance, which handles all its
 * messages. Not thread-safe.
 */
public final class MessageNumber {
  public static final long NONE = -1;

  private static final int MAX_DIGITS = 15;

  /** Bytes after Cisco's number among which a mnemonic has to be, unless a time follows at once. */
  private static final int CISCO_HEADER = 120;

  /** Fields between RFC 5424's version and its structured data. */
  private static final int HEADER_FIELDS = 5;

  private static final String META = "[meta";
  private static final String SEQUENCE_ID = " sequenceId=\"";

  private final HeaderBytes bytes = new HeaderBytes();

  /**
   * Returns the number of a message, or {@link #NONE}.
   *
   * @param end offset after the message
   */
  public long find(byte[] data, int start, int end) {
    bytes.set(data, end);
    int at = bytes.at(start) == '<' ? bytes.skip(start + 1, '0', '9') + 1 : start;
    int behind = bytes.skip(at, '0', '9');
    if (bytes.startsWith(behind, ": ")) {
      return isCiscos(behind + 2) ? number(at, behind) : NONE;
    }
    return bytes.startsWith(at, "1 ") ? structured(at + 2) : NONE;
  }

  private long number(int start, int end) {
    if (start >= end || end - start > MAX_DIGITS) {
      return NONE;
    }
    long number = 0;
    for (int i = start; i < end; i++) {
      number = 10 * number + bytes.at(i) - '0';
    }
    return number;
  }

  /** Whether a time follows, as of what a device debugs, or a mnemonic. */
  private boolean isCiscos(int start) {
    int time = bytes.at(start) == '*' || bytes.at(start) == '.' ? start + 1 : start;
    return bytes.isDate(time) || bytes.startsWith(start, "-Traceback=") || hasMnemonic(start);
  }

  private boolean hasMnemonic(int start) {
    int last = Math.min(bytes.end(), start + CISCO_HEADER);
    for (int i = start; i < last; i++) {
      if (bytes.isMnemonic(i)) {
        return true;
      }
    }
    return false;
  }

  /** Reads the structured data behind RFC 5424's other fields. */
  private long structured(int start) {
    int at = start;
    for (int i = 0; i < HEADER_FIELDS; i++) {
      at = bytes.gap(at) + 1;
    }
    while (bytes.at(at) == '[') {
      int end = element(at);
      if (bytes.startsWith(at, META) && bytes.isGap(at + META.length())) {
        return sequenceId(at + META.length(), end);
      }
      at = end;
    }
    return NONE;
  }

  /** Returns the offset after an element of structured data, or after the message. */
  private int element(int start) {
    boolean quoted = false;
    for (int at = start; at < bytes.end(); at++) {
      int c = bytes.at(at);
      if (c == '\\') {
        at++;
      } else if (c == '"') {
        quoted = !quoted;
      } else if (c == ']' && !quoted) {
        return at + 1;
      }
    }
    return bytes.end();
  }

  private long sequenceId(int start, int end) {
    for (int at = start; at < end; at++) {
      if (bytes.startsWith(at, SEQUENCE_ID)) {
        int digits = at + SEQUENCE_ID.length();
        return number(digits, bytes.skip(digits, '0', '9'));
      }
    }
    return NONE;
  }
}
