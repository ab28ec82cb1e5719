package io.duplog.deliver.syslog;

/**
 * Holds the bytes of a message while its syslog header is read, and the position of the reader.
 * Reading after the end is allowed and finds nothing. A range that passes the end is no name, host
 * or address. Each thread has one instance, which handles all its messages. Not thread-safe.
 */
final class HeaderBytes {
  static final int LONGEST_HOST = 255;
  private static final int NOTHING = -1;

  /** Offset of the next byte to read. */
  int position;

  private byte[] data = {};
  private int end;

  /**
   * Goes to another message.
   *
   * @param end offset after the message
   */
  void set(byte[] data, int end) {
    this.data = data;
    this.end = end;
  }

  int end() {
    return end;
  }

  /** Returns the byte at this offset as 0 to 255, or -1 if the offset is past the message's end. */
  int at(int index) {
    return index < end ? data[index] & 0xff : NOTHING;
  }

  /** Returns the byte this many bytes after the position as 0 to 255; -1 past the message's end. */
  int ahead(int offset) {
    return at(position + offset);
  }

  boolean isDigitAhead(int offset) {
    return isDigit(ahead(offset));
  }

  /** Moves the position past the expected character; returns false if another character follows. */
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

  /** Reads a number of exactly this many digits, at most nine; returns -1 if fewer follow. */
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

  /** Whether there is a space, a control character or the message's end at this offset. */
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

  /** Returns the offset of the next space or control character, or of the message's end. */
  int gap(int start) {
    int at = start;
    while (!isGap(at)) {
      at++;
    }
    return at;
  }

  /**
   * Returns the offset after the run of bytes from {@code first} to {@code last} at this offset.
   */
  int skip(int start, char first, char last) {
    int at = start;
    while (at(at) >= first && at(at) <= last) {
      at++;
    }
    return at;
  }

  /** Returns the offset after the run of ASCII letters at this offset. */
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

  /** Whether the range has only characters that occur in host names or IPv4 addresses. */
  boolean isHost(int start, int end) {
    if (end - start > LONGEST_HOST || end > this.end) {
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

  /** Whether the range is an IPv4 or IPv6 address; allocates only if it looks like one. */
  boolean isAddress(int start, int end) {
    return end - start <= LONGEST_HOST && end <= this.end && Address.isOne(data, start, end);
  }

  /** Whether the range is a value of RFC 5424: printable, not too long, and not just {@code -}. */
  boolean isName(int start, int end, int longest) {
    if (end - start > longest || end > this.end || (end - start == 1 && at(start) == '-')) {
      return false;
    }
    for (int i = start; i < end; i++) {
      if (data[i] <= ' ' || data[i] == 0x7f) {
        return false;
      }
    }
    return true;
  }

  /** Whether the bytes look like {@code Oct 11}: three bytes, a space and a number. */
  boolean isDate(int start) {
    return at(start + 3) == ' '
        && (isDigit(at(start + 4)) || (at(start + 4) == ' ' && isDigit(at(start + 5))));
  }

  /**
   * Whether a mnemonic such as Cisco's {@code %SYS-5-CONFIG_I} begins here, or Junos' {@code
   * %AUTH-6:}.
   */
  boolean isMnemonic(int start) {
    if (at(start) != '%') {
      return false;
    }
    for (int at = start + 1; isLetterOrDigit(at(at)) || at(at) == '_' || at(at) == '-'; at++) {
      if (at(at) == '-' && isDigit(at(at + 1)) && (at(at + 2) == '-' || at(at + 2) == ':')) {
        return true;
      }
    }
    return false;
  }

  /**
   * Returns the offset of a mnemonic behind a gap, a colon or a comma among the first bytes of the
   * message, or -1 if there is none.
   */
  int mnemonic(int start) {
    int last = Math.min(end, start + LONGEST_HOST);
    for (int at = start + 1; at < last; at++) {
      if (data[at] == '%' && at(at + 1) >= 'A' && at(at + 1) <= 'Z' && isMnemonic(at)) {
        int before = at(at - 1);
        if (before <= ' ' || before == ':' || before == ',') {
          return at;
        }
      }
    }
    return -1;
  }

  /** Whether a program's name begins here, with {@code [} or a colon after it. */
  boolean isProgram(int start) {
    int at = start;
    while (isLetterOrDigit(at(at)) || "._-/".indexOf(at(at)) >= 0) {
      at++;
    }
    boolean isZone = skip(start, 'A', 'Z') == at && startsWith(at, ": %");
    return at > start && !isZone && (at(at) == '[' || (at(at) == ':' && isGap(at + 1)));
  }

  /** Whether CEF begins here, with its version; some senders write a space before that. */
  boolean isCef(int start) {
    int version = start + (at(start + 4) == ' ' ? 5 : 4);
    return startsWith(start, "CEF:") && isDigit(at(version)) && at(version + 1) == '|';
  }

  /**
   * Returns the offset after a byte order mark in UTF-8, or {@code start} if there is none. IOS
   * writes the mark's name in its place.
   */
  int behindMark(int start) {
    boolean mark = at(start) == 0xef && at(start + 1) == 0xbb && at(start + 2) == 0xbf;
    return mark || (at(start) == 'B' && startsWith(start, "BOM%")) ? start + 3 : start;
  }

  /**
   * Returns the offset after RFC 5424's structured data, or {@code start} if there is none. A
   * bracket ends an element if it is not escaped, and a gap or another element follows.
   */
  int behindStructuredData(int start) {
    if (at(start) != '[') {
      return at(start) == '-' && isGap(start + 1) ? start + 1 : start;
    }
    byte[] bytes = data;
    int last = end - 1;
    for (int at = start + 1; at <= last; at++) {
      if (bytes[at] == ']' && bytes[at - 1] != '\\' && (at == last || bytes[at + 1] == ' ')) {
        return at + 1;
      }
    }
    return end;
  }

  /** Whether two ranges name the same host, one of them perhaps without its domain. */
  boolean isSameHost(int start, int end, int otherStart, int otherEnd) {
    int length = Math.min(end - start, otherEnd - otherStart);
    for (int i = 0; i < length; i++) {
      if ((at(start + i) | 0x20) != (at(otherStart + i) | 0x20)) {
        return false;
      }
    }
    return length > 0
        && (end - start == length || at(start + length) == '.')
        && (otherEnd - otherStart == length || at(otherStart + length) == '.');
  }

  /** Whether a name has a digit, a dot or a hyphen, as hosts have more often than programs. */
  boolean hasHostsForm(int start, int end) {
    boolean found = false;
    for (int at = start; at < end && !found; at++) {
      int c = at(at);
      found = isDigit(c) || c == '.' || c == '-';
    }
    return found;
  }

  /** Whether a process id in brackets and a colon stand here. */
  boolean hasProcess(int start) {
    int behind = skip(start + 1, '0', '9');
    return at(start) == '[' && behind > start + 1 && at(behind) == ']' && at(behind + 1) == ':';
  }

  /**
   * Whether a word may be a program. A month, a number, a date or an address is none, wherever it
   * stands.
   */
  boolean mayBeProgram(int start, int end) {
    int first = at(start);
    if (!isDigit(first)) {
      boolean ofDate =
          end - start == 3 && first >= 'A' && first <= 'Z' && HeaderTime.isOfDate(this, start);
      boolean isNumber = first == '-' && isDigit(at(start + 1));
      return !ofDate
          && !isNumber
          && !(first == '%' && at(start + 1) == '$'); // NX-OS' mark of a VDC
    }
    if (at(start + 2) == '/') {
      return false;
    }
    for (int at = start; at < end; at++) {
      int c = at(at);
      int lower = c | 0x20;
      if (c == ',' || c == '%' || (lower > 'f' && lower <= 'z' && lower != 't' && lower != 'z')) {
        return true;
      }
    }
    return false;
  }

  /** Whether these are topics of RouterOS such as {@code system,info,account}; one is a level. */
  boolean isTopics(int start, int end) {
    boolean level = false;
    for (int at = start; at < end; at++) {
      int c = at(at);
      if (c == ',') {
        level |= isLevel(at + 1);
      } else if (c != '-' && !isDigit(c) && (c < 'a' || c > 'z')) {
        return false;
      }
    }
    return level;
  }

  private boolean isLevel(int start) {
    return startsWith(start, "info")
        || startsWith(start, "warning")
        || startsWith(start, "error")
        || startsWith(start, "critical")
        || startsWith(start, "debug");
  }

  /**
   * Returns the offset after the message's length, which RFC 6587 puts before it and some
   * collectors leave there, or {@code start} if a priority does not follow.
   */
  int behindLength(int start) {
    int behind = skip(start, '0', '9') + 1;
    int close = skip(behind + 1, '0', '9');
    boolean there = behind - start > 1 && at(behind - 1) == ' ' && at(behind) == '<';
    return there && close - behind <= 4 && at(close) == '>' ? behind : start;
  }

  /**
   * Returns the offset after {@code <local0.info>}, which BSD's syslogd writes if it is verbose, or
   * {@code start} if it is missing.
   */
  int behindLevel(int start) {
    if (at(start) != '<') {
      return start;
    }
    int dot = start + 1;
    while (isLetterOrDigit(at(dot))) {
      dot++;
    }
    int close = skip(dot + 1, 'a', 'z');
    boolean there = at(dot) == '.' && at(close) == '>' && at(close + 1) == ' ';
    return there && dot > start + 1 && close > dot + 1 ? skipGaps(close + 1) : start;
  }

  /** Whether a name with a colon begins here, as behind the number of an event. */
  boolean isModule(int start) {
    int at = skipLetters(start);
    return at > start && isProgram(start);
  }

  /** Whether a name begins with a capital and has a small letter, as EOS's agents do. */
  boolean isAgent(int start, int end) {
    boolean small = false;
    for (int at = start + 1; at < end && !small; at++) {
      small = at(at) >= 'a' && at(at) <= 'z';
    }
    return small && at(start) >= 'A' && at(start) <= 'Z';
  }

  /** Whether ONTAP's audit number, such as {@code 0000001c.000b7609 00f10e98}, stands here. */
  boolean isAuditNumber(int start) {
    return at(start + 8) == '.'
        && at(start + 17) == ' '
        && at(start + 26) == ' '
        && isDigit(at(start));
  }

  static boolean isLetterOrDigit(int c) {
    int lower = c | 0x20;
    return isDigit(c) || (lower >= 'a' && lower <= 'z');
  }

  static boolean isDigit(int c) {
    return c >= '0' && c <= '9';
  }

  /** Whether RFC 5424's words and structured data begin here: host, program and the ids. */
  boolean isStructured(int start) {
    int process = behindWord(behindWord(start));
    boolean number =
        skip(process, '0', '9') == gap(process) || (at(process) == '-' && isGap(process + 1));
    return number && at(behindWord(behindWord(process))) == '[';
  }

  private int behindWord(int start) {
    return skipGaps(gap(start));
  }

  /** Returns the offset of the last byte of the word that begins here. */
  int gapBefore(int start) {
    return gap(start) - 1;
  }

  /** Returns the end of a name without its final colon; two colons belong to an IPv6 address. */
  int nameEnd(int start, int wordEnd) {
    boolean colon = wordEnd > start && at(wordEnd - 1) == ':';
    return colon && at(wordEnd - 2) != ':' ? wordEnd - 1 : wordEnd;
  }

  /** Returns the offset after the host's address in brackets, or {@code start} if there is none. */
  int behindAddress(int start) {
    int end = at(start) == '[' ? gapBefore(start) : start;
    boolean there = end > start && at(end) == ']' && isAddress(start + 1, end);
    return there ? skipGaps(end + 1) : start;
  }
}
