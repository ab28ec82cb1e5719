package io.duplog.deliver.syslog;

import java.time.ZoneId;

/**
 * Reads the header of a syslog message: its priority, time, host and program, in all common forms.
 * The common forms are RFC 5424, RFC 3164 and its variants: with and without year, zone, fraction
 * and host name. ISO 8601 times, Cisco's preamble and some vendors' own times are read, too. A part
 * that is missing or invalid is absent. No input makes it fail, or read outside of the given range.
 *
 * <p>Each thread has one instance, which handles all its messages. Allocates only for an IPv6
 * address in place of the host. Not thread-safe.
 */
public final class SyslogHeader {
  private static final int LARGEST_PRIORITY = 191;
  private static final int ABSENT = -1;
  private static final int YEAR_LENGTH = "2023 ".length();
  private static final int DATE_LENGTH = "2023-10-11".length();

  /** Text that some relays write before a message, with the sender's address behind it. */
  private static final String ORIGINAL = "Original Address=";

  /** Greatest number of relays' headers before the device's. */
  private static final int MAX_RELAYS = 3;

  private final HeaderBytes bytes = new HeaderBytes();
  private final HeaderNames names = new HeaderNames(bytes);
  private final TimeParts parts;
  private final HeaderTime time;
  private final CiscoPreamble cisco;

  private int priority;
  private boolean hasTime;
  private long timeMillis;

  /**
   * Makes a reader.
   *
   * @param zone of timestamps that name no zone
   */
  public SyslogHeader(ZoneId zone) {
    parts = new TimeParts(bytes, zone);
    time = new HeaderTime(bytes, parts);
    cisco = new CiscoPreamble(bytes, time);
  }

  /**
   * Reads a message.
   *
   * @param start offset of the message as the sender wrote it
   * @param end offset after the message
   * @param receivedMillis when the message was received, in milliseconds since the epoch. A message
   *     without a time gets this time, and a time without a year gets its year.
   */
  public void parse(byte[] data, int start, int end, long receivedMillis) {
    bytes.set(data, end);
    names.clear(start);
    parts.received(receivedMillis);
    timeMillis = receivedMillis;
    hasTime = false;
    priority = ABSENT;
    header(bytes.behindMark(bytes.behindLength(start)), MAX_RELAYS);
    if (programEnd() == programStart()) {
      names.mnemonicIn(start);
    }
  }

  /** Reads a header, and the one that may follow it if this is a relay's. */
  private void header(int start, int relays) {
    int at = bytes.behindMark(priority(start));
    if (bytes.at(at) == 'O' && bytes.startsWith(at, ORIGINAL)) {
      at = bytes.behindMark(priority(bytes.gap(at + ORIGINAL.length()) + 1));
    }
    if (bytes.at(at) != '1'
        || bytes.at(at + 1) != ' '
        || !rfc5424(bytes.skipGaps(at + 2), relays)) {
      rfc3164(bytes.skipGaps(at), relays);
    }
  }

  /** Returns the facility from 0 (kern) to 23 (local7), or -1 if the message has no priority. */
  public int facility() {
    return priority == ABSENT ? ABSENT : priority >> 3;
  }

  /** Returns the severity from 0 (emerg) to 7 (debug), or -1 if the message has no priority. */
  public int severity() {
    return priority == ABSENT ? ABSENT : priority & 7;
  }

  /**
   * Returns the message's own time, or else that of its receipt, in milliseconds since the epoch.
   */
  public long timeMillis() {
    return timeMillis;
  }

  /** Whether {@link #timeMillis} is the message's own time, not that of its receipt. */
  public boolean hasTime() {
    return hasTime;
  }

  /** Returns the offset of the host's name; equal to {@link #hostEnd} if the message names none. */
  public int hostStart() {
    return names.hostStart;
  }

  /** Returns the offset of the end of the host's name, exclusive. */
  public int hostEnd() {
    return names.hostEnd;
  }

  /** Returns the offset of the program's name; equal to {@link #programEnd} if there is none. */
  public int programStart() {
    return names.programStart;
  }

  /** Returns the offset of the end of the program's name, exclusive. */
  public int programEnd() {
    return names.programEnd;
  }

  /**
   * Reads a priority such as {@code <134>}; returns the offset after it, or {@code start} if there
   * is none. A number that is too large is skipped, and has no meaning.
   */
  private int priority(int start) {
    if (bytes.at(start) != '<') {
      return start;
    }
    int value = 0;
    int at = start + 1;
    while (at < start + 4 && HeaderBytes.isDigit(bytes.at(at))) {
      value = value * 10 + bytes.at(at++) - '0';
    }
    if (at == start + 1 || bytes.at(at) != '>') {
      return start;
    }
    if (value <= LARGEST_PRIORITY) {
      priority = value;
    }
    return at + 1;
  }

  /** Reads the rest of an RFC 5424 header after its version; returns false if it is invalid. */
  private boolean rfc5424(int start, int relays) {
    int at = start + 1;
    if (bytes.at(start) != '-' || !bytes.isGap(at)) {
      at = time.parse(start, false);
      if (at >= 0 && bytes.isGap(at)) {
        takeTime();
      } else if (bytes.skip(start, '0', '9') == start + 4 && bytes.at(start + 4) == '-') {
        at = bytes.gap(start); // an impossible date, but what follows may be valid
      } else {
        return false;
      }
    }
    int words = Math.min(at + 1, bytes.end());
    int second = bytes.isDate(words) ? time.parse(words, true) : ABSENT;
    if (second >= 0) { // a relay's, and behind it the device's of RFC 3164
      takeTime();
      names.behindTime(second);
      return true;
    }
    int device = bytes.skipGaps(bytes.gap(words));
    if (mayBeDate(device) && time.parse(device, true) >= 0) { // in the place of the program
      names.setHost(words, bytes.gap(words));
      behindRelay(device, relays);
      return true;
    }
    int text = names.rfc5424(words);
    boolean noProgram = programEnd() == programStart();
    if (bytes.at(text) == '<' ? noProgram || isHeader(text) : noProgram && mayBeDate(text)) {
      behindRelay(text, relays);
    } else if (noProgram || (bytes.at(programStart()) == 'K' && names.isKiwi())) {
      if (!unusual(text)) {
        names.processIn(text);
      }
    }
    return true;
  }

  /** Whether a date may begin here, as {@code Oct 11} or {@code 2023-10-11}. */
  private boolean mayBeDate(int start) {
    return bytes.isDate(start)
        || (HeaderBytes.isDigit(bytes.at(start))
            && bytes.at(start + 4) == '-'
            && bytes.at(start + 7) == '-');
  }

  /** Whether a priority and a date or a version begin here. */
  private boolean isHeader(int start) {
    int end = bytes.skip(start + 1, '0', '9');
    return bytes.at(end) == '>'
        && (bytes.isDate(end + 1) || (bytes.at(end + 1) == '1' && bytes.at(end + 2) == ' '));
  }

  private void rfc3164(int wordStart, int relays) {
    int start = HeaderTime.behindWeekday(bytes, wordStart);
    int behind = time.parse(start, true);
    if (behind >= 0) {
      takeTime();
      int device = bytes.skipGaps(behind);
      int second = bytes.isDate(device) ? time.parse(device, true) : ABSENT;
      if (second >= 0) {
        secondHeader(device, second);
        return;
      }
      names.behindTime(behind);
      boolean named = hostEnd() > hostStart();
      if (!(named && mayBeDevices(names.text) && unusual(names.text))) {
        behindRelay(names.text, relays);
      }
      int tagged = names.behindTag();
      if (HeaderBytes.isDigit(bytes.at(tagged)) && bytes.at(tagged + DATE_LENGTH) == 'T') {
        structured(tagged);
      }
    } else if (!unusual(start)) {
      names.withoutTime(start);
    }
  }

  /** Reads a device's header of RFC 5424 without priority and version, if one begins here. */
  private void structured(int start) {
    int behind = time.parse(start, false);
    if (behind >= 0 && bytes.isGap(behind) && bytes.isStructured(behind + 1)) {
      takeTime();
      names.clear(start);
      names.behindTime(behind);
    }
  }

  /**
   * Reads a second header after one that has only a time. Because a text may begin with a date,
   * too, host and program are taken only if a program with a mark follows.
   */
  private void secondHeader(int start, int behindTime) {
    if (!unusual(start)) {
      names.behindTime(behindTime);
      if (!names.isMarked()) {
        names.clear(start);
      }
    }
  }

  /**
   * Reads the device's header behind a relay's, if there is one. The device's time, host and
   * priority replace the relay's. As a text may begin with a date, a header without a priority must
   * have a program with a mark or of a known product.
   */
  private void behindRelay(int wordStart, int relays) {
    int first = bytes.at(wordStart);
    boolean mayBeHeader =
        first == '<' || HeaderBytes.isDigit(first) || bytes.at(wordStart + 3) == ' ';
    if (mayBeHeader && relays > 0) {
      secondOfRelay(HeaderTime.behindWeekday(bytes, wordStart), relays);
    }
  }

  private void secondOfRelay(int start, int relays) {
    int first = bytes.at(start);
    if (!(first == '<' || HeaderBytes.isDigit(first) || bytes.isDate(start))) {
      return;
    }
    int hostStart = hostStart();
    int hostEnd = hostEnd();
    if (first == '<') {
      int behind = priority(start);
      if (behind > start) {
        names.clear(behind);
        header(behind, relays - 1);
      }
    } else if (!versioned(start)) {
      dated(start, relays);
    }
    keepHost(hostStart, hostEnd);
  }

  /** Reads a header of RFC 5424 that has lost its priority; returns whether it is there. */
  private boolean versioned(int start) {
    boolean version = bytes.at(start) == '1' && bytes.at(start + 1) == ' ';
    int behind = version ? time.parse(start + 2, false) : ABSENT;
    boolean there = behind >= 0 && bytes.isGap(behind);
    if (there) {
      takeTime();
      names.clear(start);
      names.rfc5424(Math.min(behind + 1, bytes.end()));
    }
    return there;
  }

  /** Reads a device's header that begins with a time, if a program shows that it is a header. */
  private void dated(int start, int relays) {
    int behind = time.parse(start, true);
    if (behind < 0) {
      return;
    }
    long relaysMillis = timeMillis;
    takeTime();
    names.clear(start);
    names.behindTime(behind);
    behindRelay(names.text, relays - 1);
    boolean loose = bytes.at(start + DATE_LENGTH) == ' ' && bytes.at(start + 4) == '-';
    boolean device =
        names.isMarked()
            || names.isOfProduct()
            || names.isBeforeDevices()
            || bytes.isStructured(bytes.skipGaps(behind));
    if (loose ? !(names.hasHostAndProcess() || names.isBarracudas()) : !device) {
      names.clear(start);
      timeMillis = relaysMillis;
    }
  }

  private void keepHost(int start, int end) {
    if (hostStart() == hostEnd()) {
      names.setHost(start, end);
    }
  }

  /** Whether a device's own header may begin here, after that of a relay. */
  private boolean mayBeDevices(int start) {
    int end = programEnd();
    return HeaderBytes.isDigit(bytes.at(start))
        || mayBeStamp(start)
        || bytes.at(start + 2) == '/'
        || bytes.startsWith(start, "device")
        || (bytes.at(end) == ':' && mayBeStamp(behindNumber(bytes.skipGaps(end + 1))));
  }

  /** Returns the offset after a message's number and its colon, or {@code start}. */
  private int behindNumber(int start) {
    int end = bytes.skip(start, '0', '9');
    return end > start && bytes.at(end) == ':' ? bytes.skipGaps(end + 1) : start;
  }

  /**
   * Whether a time as Cisco writes it may begin here. A number alone does not count, because some
   * senders write one here.
   */
  private boolean mayBeStamp(int start) {
    int c = bytes.at(start);
    return c == '*' || c == '.' || bytes.isDate(start) || bytes.isDate(start + YEAR_LENGTH);
  }

  /**
   * Tries the rare forms, which would cost too much for every message. Their values replace those
   * of a relay's header. After a relay's header, a time may belong to the text, so it counts as the
   * device's only with a mark or before a mnemonic.
   */
  private boolean unusual(int start) {
    int hostStart = hostStart();
    int hostEnd = hostEnd();
    int behind = cisco.parse(start);
    if (behind >= 0 && (!hasTime || cisco.isMarked || names.isBeforeMnemonic(behind))) {
      names.clear(start);
      names.setHost(cisco.hostStart, cisco.hostEnd);
      names.behindTime(behind);
      if (cisco.hasNode) {
        names.mnemonicBehindProcess();
      }
      if (cisco.hasTime) {
        boolean mayBeRelays = !hasTime && hostEnd() > hostStart();
        takeTime();
        if (mayBeRelays && mayBeDevices(names.text)) {
          unusual(names.text); // a relay that numbers what it passes on
        }
      }
    } else {
      behind = time.parseVendors(start);
      if (behind < 0) {
        return false;
      }
      takeTime();
      names.clear(start);
      names.behindVendorTime(behind);
    }
    keepHost(hostStart, hostEnd);
    return true;
  }

  private void takeTime() {
    hasTime = true;
    timeMillis = parts.millis();
  }
}
