package io.duplog.deliver.syslog;

import java.time.ZoneId;

/**
 * What the header of a syslog message says: priority, time, host and program. It reads RFC 5424,
 * RFC 3164 and what senders make of the latter: with and without year, zone, fraction and host
 * name, ISO 8601 times, Cisco's preamble, some vendors' own times. A part that is missing or
 * invalid is absent. No bytes make it fail, or read outside of the given range.
 *
 * <p>One instance serves all messages of one thread; it allocates only for an address in the place
 * of the host.
 */
public final class SyslogHeader {
  private static final int LARGEST_PRIORITY = 191;
  private static final int ABSENT = -1;
  private static final int YEAR_LENGTH = "2023 ".length();
  private static final String BYTE_ORDER_MARK = "\u00ef\u00bb\u00bf"; // in UTF-8

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
   * @param receivedMillis when the message was received, in milliseconds since the epoch. It is the
   *     message's time if that has none of its own, and determines a missing year.
   */
  public void parse(byte[] data, int start, int end, long receivedMillis) {
    bytes.set(data, end);
    names.clear(start);
    parts.received(receivedMillis);
    timeMillis = receivedMillis;
    hasTime = false;
    int at = priority(bytes.startsWith(start, BYTE_ORDER_MARK) ? start + 3 : start);
    if (bytes.at(at) != '1' || bytes.at(at + 1) != ' ' || !rfc5424(at + 2)) {
      rfc3164(bytes.skipGaps(at));
    }
  }

  /** Returns the facility from 0 (kern) to 23 (local7); -1 if the message has no priority. */
  public int facility() {
    return priority == ABSENT ? ABSENT : priority >> 3;
  }

  /** Returns the severity from 0 (emerg) to 7 (debug); -1 if the message has no priority. */
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
   * is none.
   */
  private int priority(int start) {
    priority = ABSENT;
    if (bytes.at(start) != '<') {
      return start;
    }
    int value = 0;
    int at = start + 1;
    while (at < start + 4 && HeaderBytes.isDigit(bytes.at(at))) {
      value = value * 10 + bytes.at(at++) - '0';
    }
    if (at == start + 1 || bytes.at(at) != '>' || value > LARGEST_PRIORITY) {
      return start;
    }
    priority = value;
    return at + 1;
  }

  /** Reads the rest of an RFC 5424 header after its version; returns false if it is invalid. */
  private boolean rfc5424(int start) {
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
    names.rfc5424(Math.min(at + 1, bytes.end()));
    return true;
  }

  private void rfc3164(int start) {
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
      if (hostEnd() > hostStart() && mayBeDevices(names.text)) {
        unusual(names.text);
      }
    } else if (!unusual(start) && priority != ABSENT) {
      names.withoutTime(start);
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

  /** Whether a device's own header may begin here, after that of a relay. */
  private boolean mayBeDevices(int start) {
    int end = programEnd();
    return HeaderBytes.isDigit(bytes.at(start))
        || mayBeStamp(start)
        || bytes.at(start + 2) == '/'
        || bytes.startsWith(start, "device")
        || (bytes.at(end) == ':' && mayBeStamp(bytes.skipGaps(end + 1)));
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
   * Tries the rare forms, which would cost too much for every message. What they say replaces what
   * a relay's header said. Behind a relay's header, a time may belong to the text, so it counts as
   * the device's only with a mark or before a mnemonic.
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
        takeTime();
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
    if (hostStart() == hostEnd()) {
      names.setHost(hostStart, hostEnd);
    }
    return true;
  }

  private void takeTime() {
    hasTime = true;
    timeMillis = parts.millis();
  }
}
