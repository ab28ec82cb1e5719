package io.duplog.deliver.route;

/**
 * The bytes of one message, what its words look like, and how far reading has got. Behind the end
 * there is nothing, at any offset. Used again for each message; of one thread at a time.
 */
final class HeaderBytes {
  static final int LONGEST_HOST = 255;
  private static final int NOTHING = -1;

  /** Where reading has got to. */
  int position;

  private byte[] data = {};
  private int end;

  /**
   * Goes to another message.
   *
   * @param end offset behind it
   */
  void set(byte[] data, int end) {
    this.data = data;
    this.end = end;
  }

  int end() {
    return end;
  }

  /** The byte there; -1, which is no ASCII character, behind the end. */
  int at(int index) {
    return index < end ? data[index] & 0xff : NOTHING;
  }

  /** The byte so far behind the position. */
  int ahead(int offset) {
    return at(position + offset);
  }

  boolean isDigitAhead(int offset) {
    return isDigit(ahead(offset));
  }

  /** Goes behind what is expected; stays where something else stands. */
  boolean take(char expected) {
    boolean there = ahead(0) == expected;
    position += there ? 1 : 0;
    return there;
  }

  boolean take(String expected) {
    boolean there = startsWith(position, expected);
    position += there ? expected.length() : 0;
    return there;
  }

  /** Reads exactly so many digits, at most nine; -1 where they are not there. */
  int number(int digits) {
    int value = 0;
    for (int i = 0; i < digits; i++) {
      if (!isDigitAhead(0)) {
        return -1;
      }
      value = value * 10 + ahead(0) - '0';
      position++;
    }
    return value;
  }

  /** Spaces, control characters and the end part words; bytes past ASCII, negative, do not. */
  boolean isGap(int index) {
    return index >= end || (data[index] >= 0 && data[index] <= ' ');
  }

  int skipGaps(int start) {
    int at = start;
    while (at < end && isGap(at)) {
      at++;
    }
    return at;
  }

  /** Offset of the next byte that separates words; the end where there is none. */
  int gap(int start) {
    int at = start;
    while (!isGap(at)) {
      at++;
    }
    return at;
  }

  /** Offset behind the bytes of this range that stand there. */
  int skip(int start, char first, char last) {
    int at = start;
    while (at(at) >= first && at(at) <= last) {
      at++;
    }
    return at;
  }

  /** Offset behind the letters that stand there. */
  int skipLetters(int start) {
    int at = start;
    while (isLetterOrDigit(at(at)) && !isDigit(at(at))) {
      at++;
    }
    return at;
  }

  boolean startsWith(int start, String text) {
    int i = 0;
    while (i < text.length() && at(start + i) == text.charAt(i)) {
      i++;
    }
    return i == text.length();
  }

  /** Whether it is a host's name or an IPv4 address. */
  boolean isHost(int start, int end) {
    if (end - start > LONGEST_HOST) {
      return false;
    }
    for (int i = start; i < end; i++) {
      int c = data[i];
      if (!isLetterOrDigit(c) && c != '.' && c != '-' && c != '_') {
        return false;
      }
    }
    return end > start;
  }

  /** Whether it is an IPv4 or IPv6 address. Allocates only where it looks like one. */
  boolean isAddress(int start, int end) {
    return end - start <= LONGEST_HOST && Address.isOne(data, start, end);
  }

  /** Whether it is a value of RFC 5424 that is there, not too long, and printable. */
  boolean isName(int start, int end, int longest) {
    if (end - start > longest || (end - start == 1 && at(start) == '-')) {
      return false;
    }
    for (int i = start; i < end; i++) {
      if (data[i] <= ' ' || data[i] == 0x7f) {
        return false;
      }
    }
    return true;
  }

  /** Whether a word of three, such as a month's name, and a number are there. */
  boolean isDate(int start) {
    return at(start + 3) == ' '
        && (isDigit(at(start + 4)) || (at(start + 4) == ' ' && isDigit(at(start + 5))));
  }

  /** Whether Cisco's {@code %SYS-5-CONFIG_I} is there: a facility, a severity, what happened. */
  boolean isMnemonic(int start) {
    if (at(start) != '%') {
      return false;
    }
    for (int at = start + 1; isLetterOrDigit(at(at)) || at(at) == '_' || at(at) == '-'; at++) {
      if (at(at) == '-' && isDigit(at(at + 1)) && at(at + 2) == '-') {
        return true;
      }
    }
    return false;
  }

  /** Whether a word is there with a process id or a colon behind it, and no zone of Cisco's. */
  boolean isProgram(int start) {
    int at = start;
    while (isLetterOrDigit(at(at)) || "._-/".indexOf(at(at)) >= 0) {
      at++;
    }
    boolean isZone = skip(start, 'A', 'Z') == at && startsWith(at, ": %");
    return at > start && !isZone && (at(at) == '[' || (at(at) == ':' && isGap(at + 1)));
  }

  static boolean isLetterOrDigit(int c) {
    int lower = c | 0x20;
    return isDigit(c) || (lower >= 'a' && lower <= 'z');
  }

  static boolean isDigit(int c) {
    return c >= '0' && c <= '9';
  }
}
