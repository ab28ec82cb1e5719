package io.duplog.deliver.syslog;

/**
 * Reads what Cisco devices write before a message's text: a sequence number, the device's name, the
 * task or the node, and the time. Each thread has one instance, which handles all its messages.
 * Allocates only for an address in place of the name. Not thread-safe.
 *
 * <p>Example: {@code 000123: router-1: *Mar 1 00:01:02.345: %SYS-5-CONFIG_I: text}.
 */
final class CiscoPreamble {
  private static final int MAX_WORDS = 6;
  private static final int MAX_TASK_WORDS = 4;

  /** The text that an access point writes before its own address, which is its name. */
  private static final String ACCESS_POINT = "AP:";

  private final HeaderBytes bytes;
  private final HeaderTime time;

  /** Whether a time was found, and the device does not mark it as unsynchronised. */
  boolean hasTime;

  /** Whether a sequence number, a task or a node shows that this is no ordinary text. */
  boolean isMarked;

  /** Whether IOS XR's node precedes the time; the name of a process then follows the time. */
  boolean hasNode;

  /** Offset of the device's name; equal to {@link #hostEnd} if the device is not named. */
  int hostStart;

  int hostEnd;

  CiscoPreamble(HeaderBytes bytes, HeaderTime time) {
    this.bytes = bytes;
    this.time = time;
  }

  /**
   * Looks for a time or a mnemonic after the words of such a preamble.
   *
   * @return offset of the first byte after the time, or of the mnemonic if no time stands before
   *     it, or -1 if there is neither
   */
  int parse(int start) {
    hasTime = false;
    isMarked = false;
    hasNode = false;
    hostStart = start;
    hostEnd = start;
    int at = bytes.at(start) == ':' ? start + 1 : start;
    for (int words = 0; at >= 0 && words < MAX_WORDS; words++) {
      at = bytes.skipGaps(at);
      if (bytes.isMnemonic(at)) {
        return at;
      }
      int behind = behindTime(at);
      if (behind >= 0) {
        isMarked &= bytes.at(bytes.skipGaps(behind)) == ':';
        return behind;
      }
      at = behindWord(at);
    }
    return -1;
  }

  /**
   * Returns the offset after a time, or -1. A mark before the time says that the device's clock is
   * not set or not synchronised.
   */
  private int behindTime(int start) {
    int node = behindNode(start);
    int marked = behindMark(node);
    int behind = time.parse(marked, true);
    if (behind >= 0 && (node > start || hostEnd > hostStart)) {
      behind = colon(behind, node > start);
    }
    hasTime = behind >= 0 && marked == node;
    hasNode = node > start;
    isMarked |= hasNode;
    return behind;
  }

  /**
   * Returns the offset of the colon after a time, or -1 if there is none.
   *
   * @param anyZone whether a zone of any name may stand before the colon
   */
  private int colon(int behind, boolean anyZone) {
    int at = bytes.skipGaps(behind);
    int colon = anyZone ? bytes.skipLetters(at) : at;
    return bytes.at(colon) == ':' ? colon : -1;
  }

  /**
   * Returns the offset after IOS XR's {@code RP/0/RP0/CPU0:}, or {@code start} if it is missing.
   */
  private int behindNode(int start) {
    int at = start;
    boolean slash = false;
    while (HeaderBytes.isLetterOrDigit(bytes.at(at)) || bytes.at(at) == '/') {
      slash |= bytes.at(at) == '/';
      at++;
    }
    return slash && bytes.at(at) == ':' ? bytes.skipGaps(at + 1) : start;
  }

  /**
   * Returns the offset after a word of the preamble, or -1 if the word is not part of the preamble.
   */
  private int behindWord(int start) {
    int counters = behindCounters(start);
    if (counters >= 0) {
      return counters;
    }
    int wordEnd = isTask(start) ? behindTask(start) : bytes.gap(start);
    if (wordEnd - start < 2) {
      return -1;
    }
    int name = bytes.startsWith(start, ACCESS_POINT) ? start + ACCESS_POINT.length() : start;
    boolean colon = bytes.at(wordEnd - 1) == ':';
    int nameEnd = colon ? wordEnd - 1 : wordEnd;
    boolean known = hostEnd > hostStart;
    boolean isNumber = bytes.skip(start, '0', '9') == nameEnd;
    if (colon && (isNumber || isTask(start) || isUptime(start, nameEnd))) {
      isMarked |= isTask(start) || (isNumber && !known);
      return wordEnd;
    }
    int next = bytes.skipGaps(wordEnd);
    boolean apart = !colon && bytes.at(next) == ':';
    boolean numbered = bytes.at(bytes.skip(next, '0', '9')) == ':' && bytes.at(next) != ':';
    boolean named = colon || apart || behindNode(next) > next || numbered;
    if (!named || known || !(bytes.isHost(name, nameEnd) || bytes.isAddress(name, nameEnd))) {
      return -1;
    }
    hostStart = name;
    hostEnd = nameEnd;
    return apart ? next + 1 : wordEnd;
  }

  /** Returns the offset after a pair of numbers such as {@code 101 21:}, or -1 if there is none. */
  private int behindCounters(int start) {
    int firstEnd = bytes.skip(start, '0', '9');
    int second = firstEnd + 1;
    int end = bytes.skip(second, '0', '9');
    boolean there = firstEnd > start && bytes.at(firstEnd) == ' ' && end > second;
    return there && bytes.startsWith(end, ": %") ? end + 1 : -1;
  }

  /** Whether a task name of AireOS begins here, such as {@code *spamApTask0:}. */
  private boolean isTask(int start) {
    return bytes.at(start) == '*' && !HeaderBytes.isDigit(bytes.at(start + 1));
  }

  /** Returns the offset after a task's name, which may have gaps: {@code *SISF BT Process:}. */
  private int behindTask(int start) {
    int at = bytes.gap(start);
    for (int words = 1; words < MAX_TASK_WORDS && bytes.at(at - 1) != ':'; words++) {
      at = bytes.gap(bytes.skipGaps(at));
    }
    return at;
  }

  /**
   * Whether the range is a time since the device's start, such as {@code 00:01:23} or {@code 1w2d}.
   */
  private boolean isUptime(int start, int end) {
    int at = behindMark(start);
    boolean isUptime = HeaderBytes.isDigit(bytes.at(at));
    boolean unit = false;
    for (; at < end && isUptime; at++) {
      int c = bytes.at(at);
      boolean isUnit = ":ywdhms".indexOf(c) >= 0;
      unit |= isUnit;
      isUptime = isUnit || HeaderBytes.isDigit(c) || c == '.';
    }
    return isUptime && unit;
  }

  private int behindMark(int start) {
    return bytes.at(start) == '*' || bytes.at(start) == '.' ? start + 1 : start;
  }
}
