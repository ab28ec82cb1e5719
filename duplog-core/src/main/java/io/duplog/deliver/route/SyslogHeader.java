package io.duplog.deliver.route;

import java.time.ZoneId;

/**
 * What the head of a syslog message says: priority, time, host and program. It reads RFC 5424, RFC
 * 3164 and what senders make of the latter: with and without year, zone, fraction and host name,
 * ISO 8601 times, Cisco's preamble, some vendors' own times. Whatever is not there or not right is
 * absent; no bytes make it fail or read outside of what it was given.
 *
 * <p>Used again for each message, since it allocates nothing but for an address in the place of the
 * host; of one thread at a time.
 */
final class SyslogHeader {
  private static final int LARGEST_PRIORITY = 191;
  private static final int ABSENT = -1;
  private static final int YEAR_LENGTH = "2023 ".length();
  private static final String BYTE_ORDER_MARK = "\u00ef\u00bb\u00bf"; // UTF-8's bytes

  private final HeaderBytes bytes = new HeaderBytes();
  private final HeaderNames names = new HeaderNames(bytes);
  private final TimeParts parts;
  private final HeaderTime time;
  private final CiscoPreamble cisco;

  private int priority;
  private boolean hasTime;
  private long timeMillis;

  /**
   * @param zone of timestamps that name none
   */
  SyslogHeader(ZoneId zone) {
    parts = new TimeParts(bytes, zone);
    time = new HeaderTime(bytes, parts);
    cisco = new CiscoPreamble(bytes, time);
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
    return timeMillis;
  }

  /** Whether {@link #timeMillis} is the sender's. */
  boolean hasTime() {
    return hasTime;
  }

  /** Offset of the host's name; equal to {@link #hostEnd} where the message has none. */
  int hostStart() {
    return names.hostStart;
  }

  /** Offset behind the host's name. */
  int hostEnd() {
    return names.hostEnd;
  }

  /** Offset of the program's name; equal to {@link #programEnd} where the message has none. */
  int programStart() {
    return names.programStart;
  }

  /** Offset behind the program's name. */
  int programEnd() {
    return names.programEnd;
  }

  /** Reads {@code <134>}; gives the offset behind it, or {@code start} where it is not right. */
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

  /** Reads on behind the version. False where that was none. */
  private boolean rfc5424(int start) {
    int at = start + 1;
    if (bytes.at(start) != '-' || !bytes.isGap(at)) {
      at = time.parse(start, false);
      if (at >= 0 && bytes.isGap(at)) {
        takeTime();
      } else if (bytes.skip(start, '0', '9') == start + 4 && bytes.at(start + 4) == '-') {
        at = bytes.gap(start); // a date that can't be; what follows it may be right
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

  /** Behind a header of a time alone. A text may begin with a date, too: that has no names. */
  private void secondHeader(int start, int behindTime) {
    if (!unusual(start)) {
      names.behindTime(behindTime);
      if (!names.isMarked()) {
        names.clear(start);
      }
    }
  }

  /** Whether a device's own header may stand there, behind the one of a relay. */
  private boolean mayBeDevices(int start) {
    int end = programEnd();
    return HeaderBytes.isDigit(bytes.at(start))
        || mayBeStamp(start)
        || bytes.at(start + 2) == '/'
        || bytes.startsWith(start, "device")
        || (bytes.at(end) == ':' && mayBeStamp(bytes.skipGaps(end + 1)));
  }

  /** Whether it begins like Cisco's times; a number alone is none, some write it there. */
  private boolean mayBeStamp(int start) {
    int c = bytes.at(start);
    return c == '*' || c == '.' || bytes.isDate(start) || bytes.isDate(start + YEAR_LENGTH);
  }

  /**
   * Tries the forms that a usual message must not pay for. What they say goes before what a relay's
   * header said. Behind such a one a time may be the text's: it takes more to be a device's.
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
