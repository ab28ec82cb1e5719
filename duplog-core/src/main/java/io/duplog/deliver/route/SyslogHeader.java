package io.duplog.deliver.route;

import java.time.ZoneId;

/**
 * What the head of a syslog message says: priority, time, host and program. It reads RFC 5424, RFC
 * 3164 and what senders make of the latter: with and without year, zone, fraction and host name,
 * Cisco's sequence numbers and marks, ISO 8601 times. Whatever is not there or not right is absent;
 * no bytes make it fail or read outside of what it was given.
 *
 * <p>Used again for each message, since it allocates nothing but for an address in the place of the
 * host; of one thread at a time.
 */
final class SyslogHeader {
  private static final int LONGEST_HOST = 255;
  private static final int LONGEST_PROGRAM = 128;
  private static final int LARGEST_PRIORITY = 191;
  private static final int ABSENT = -1;

  private final HeaderTime time;

  private byte[] data = {};
  private int end;
  private long receivedMillis;

  private int priority;
  private boolean hasTime;
  private int hostStart;
  private int hostEnd;
  private int programStart;
  private int programEnd;

  /**
   * @param zone of timestamps that name none
   */
  SyslogHeader(ZoneId zone) {
    this.time = new HeaderTime(zone);
  }

  /**
   * Reads a message.
   *
   * @param start offset of the message as the sender wrote it
   * @param end offset behind it
   * @param receivedMillis when it was received, in milliseconds since the epoch: the message's time
   *     where it has none of its own, and what decides on the year where its time has none
   */
  void parse(byte[] data, int start, int end, long receivedMillis) {
    this.data = data;
    this.end = end;
    this.receivedMillis = receivedMillis;
    hasTime = false;
    setHost(start, start);
    setProgram(start, start);
    int at = priority(start);
    if (at(at) != '1' || at(at + 1) != ' ' || !rfc5424(at + 2)) {
      rfc3164(at);
    }
  }

  /** 0 (kern) to 23 (local7); -1 where the message has no priority. */
  int facility() {
    return priority == ABSENT ? ABSENT : priority >> 3;
  }

  /** 0 (emerg) to 7 (debug); -1 where the message has no priority. */
  int severity() {
    return priority == ABSENT ? ABSENT : priority & 7;
  }

  /** The sender's time in milliseconds since the epoch; the receipt's where it gave none. */
  long timeMillis() {
    return hasTime ? time.millis() : receivedMillis;
  }

  /** Whether {@link #timeMillis} is the sender's. */
  boolean hasTime() {
    return hasTime;
  }

  /** Offset of the host's name; equal to {@link #hostEnd} where the message has none. */
  int hostStart() {
    return hostStart;
  }

  /** Offset behind the host's name. */
  int hostEnd() {
    return hostEnd;
  }

  /** Offset of the program's name; equal to {@link #programEnd} where the message has none. */
  int programStart() {
    return programStart;
  }

  /** Offset behind the program's name. */
  int programEnd() {
    return programEnd;
  }

  /** Reads {@code <134>}; gives the offset behind it, or {@code start} where it is not right. */
  private int priority(int start) {
    priority = ABSENT;
    if (at(start) != '<') {
      return start;
    }
    int value = 0;
    int at = start + 1;
    while (at < start + 4 && isDigit(at(at))) {
      value = value * 10 + at(at++) - '0';
    }
    if (at == start + 1 || at(at) != '>' || value > LARGEST_PRIORITY) {
      return start;
    }
    priority = value;
    return at + 1;
  }

  /** Reads on behind the version. False where that was none. */
  private boolean rfc5424(int start) {
    int at;
    if (at(start) == '-' && isGap(start + 1)) {
      at = start + 1;
    } else {
      at = readTime(start, false);
      if (at < 0 || !isGap(at)) {
        hasTime = false;
        if (!isDigit(at(start)) || !isDigit(at(start + 3)) || at(start + 4) != '-') {
          return false;
        }
        at = gap(start); // a date that can't be; what follows it may be right
      }
    }
    int host = Math.min(at + 1, end);
    int hostEnd = gap(host);
    if (isName(host, hostEnd, LONGEST_HOST)) {
      setHost(host, hostEnd);
    }
    int program = Math.min(hostEnd + 1, end);
    int programEnd = gap(program);
    if (isName(program, programEnd, LONGEST_PROGRAM)) {
      setProgram(program, programEnd);
    }
    return true;
  }

  private void rfc3164(int start) {
    int at = skipGaps(start);
    int behind = readTime(at, true);
    if (behind < 0) {
      behind = timeBehindPreamble(at);
    }
    if (behind < 0) {
      if (priority != ABSENT && !isDigit(at(at))) {
        program(at, true);
      }
    } else if (at(behind) == ':') {
      program(skipGaps(behind + 1), true); // Cisco's; the host, if any, stood before the time
    } else {
      hostAndProgram(skipGaps(behind));
    }
  }

  /**
   * Looks for a time behind what Cisco's devices write before it: a sequence number, the device's
   * own name, each with a colon, and a mark for a clock that is not set. -1 where there is none.
   */
  private int timeBehindPreamble(int start) {
    int at = start;
    int nameStart = start;
    int nameEnd = start;
    for (int words = 0; words < 4; words++) {
      at = skipGaps(at(at) == ':' ? at + 1 : at);
      int mark = at(at) == '*' || at(at) == '.' ? 1 : 0;
      int behind = readTime(at + mark, true);
      if (behind >= 0 && (nameStart == nameEnd || at(behind) == ':')) {
        setHost(nameStart, nameEnd);
        return behind;
      }
      int wordEnd = gap(at);
      if (wordEnd - at < 2 || at(wordEnd - 1) != ':') {
        break;
      }
      if (!areDigits(at, wordEnd - 1)) {
        if (nameStart != nameEnd || !isHost(at, wordEnd - 1)) {
          break;
        }
        nameStart = at;
        nameEnd = wordEnd - 1;
      }
      at = wordEnd;
    }
    hasTime = false;
    return -1;
  }

  /** Behind the time: {@code host program[pid]: …} or {@code program[pid]: …}. */
  private void hostAndProgram(int start) {
    int wordEnd = gap(start);
    if (at(start) == '[') { // around an address, as some write it
      int close = wordEnd - 1;
      if (at(close) == ']' && Address.isOne(data, start + 1, close)) {
        setHost(start + 1, close);
        program(behindHost(wordEnd), false);
      }
      return;
    }
    boolean colon = wordEnd > start && at(wordEnd - 1) == ':';
    int nameEnd = colon && at(wordEnd - 2) != ':' ? wordEnd - 1 : wordEnd;
    boolean isAddress = nameEnd - start <= LONGEST_HOST && Address.isOne(data, start, nameEnd);
    if (!isAddress && (colon || !isHost(start, wordEnd))) {
      program(start, true);
    } else if (skipGaps(wordEnd) < end) { // a single word is a message, not a host
      setHost(start, nameEnd);
      program(behindHost(wordEnd), false);
    }
  }

  /** Over the spaces behind a host, and over a colon between them. */
  private int behindHost(int start) {
    int at = skipGaps(start);
    return at(at) == ':' ? skipGaps(at + 1) : at;
  }

  /**
   * @param marked whether it is one only if a colon or a process id follows
   */
  private void program(int start, boolean marked) {
    int at = start;
    while (isProgramByte(at(at)) && at - start <= LONGEST_PROGRAM) {
      at++;
    }
    int behind = at(at);
    boolean mark = behind == ':' || behind == '[';
    if (at - start <= LONGEST_PROGRAM && (mark || (!marked && isGap(at)))) {
      setProgram(start, at);
    }
  }

  private int readTime(int start, boolean spacedZone) {
    int behind = time.parse(data, start, end, spacedZone, receivedMillis);
    hasTime |= behind >= 0;
    return behind;
  }

  private void setHost(int start, int end) {
    hostStart = start;
    hostEnd = end;
  }

  private void setProgram(int start, int end) {
    programStart = start;
    programEnd = end;
  }

  /** A value of RFC 5424 that is there, not too long, and printable. */
  private boolean isName(int start, int end, int longest) {
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

  private boolean isHost(int start, int end) {
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

  private boolean areDigits(int start, int end) {
    for (int i = start; i < end; i++) {
      if (!isDigit(data[i])) {
        return false;
      }
    }
    return true;
  }

  private static boolean isProgramByte(int c) {
    return isLetterOrDigit(c) || (c > ' ' && c < 0x7f && "._-/%@+#()~$&*!".indexOf(c) >= 0);
  }

  private static boolean isLetterOrDigit(int c) {
    int lower = c | 0x20;
    return isDigit(c) || (lower >= 'a' && lower <= 'z');
  }

  private static boolean isDigit(int c) {
    return c >= '0' && c <= '9';
  }

  private int skipGaps(int start) {
    int at = start;
    while (at < end && isGap(at)) {
      at++;
    }
    return at;
  }

  /** Offset of the next byte that separates words; the end where there is none. */
  private int gap(int start) {
    int at = start;
    while (!isGap(at)) {
      at++;
    }
    return at;
  }

  /** Spaces, control characters and the end part words; bytes past ASCII, negative, do not. */
  private boolean isGap(int index) {
    return index >= end || (data[index] >= 0 && data[index] <= ' ');
  }

  /** The byte there; -1, which is no ASCII character, behind the end. */
  private int at(int index) {
    return index < end ? data[index] : ABSENT;
  }
}
