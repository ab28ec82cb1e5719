package io.duplog.deliver.syslog;

import java.util.stream.Stream;

/**
 * Reads the timestamp of a syslog header, in any of the forms that senders use. Examples are {@code
 * 2023-10-11T22:14:15.003Z} and {@code Oct 11 22:14:15}, the same with a year, a fraction and a
 * zone where senders put them, and some vendors' forms. Each thread has one instance, which handles
 * all its messages and allocates nothing. Not thread-safe.
 */
final class HeaderTime {
  private static final int[] MONTHS =
      Stream.of("jan feb mar apr may jun jul aug sep oct nov dec".split(" ", -1))
          .mapToInt(name -> packed(name.charAt(0), name.charAt(1), name.charAt(2)))
          .toArray();

  private static final int[] WEEKDAYS =
      Stream.of("mon tue wed thu fri sat sun".split(" ", -1))
          .mapToInt(name -> packed(name.charAt(0), name.charAt(1), name.charAt(2)))
          .toArray();

  private final HeaderBytes bytes;
  private final TimeParts parts;

  HeaderTime(HeaderBytes bytes, TimeParts parts) {
    this.bytes = bytes;
    this.parts = parts;
  }

  /**
   * Tries to read a timestamp.
   *
   * @param spacedZone whether a space may stand before the zone
   * @return offset of the first byte after the timestamp, or -1 if there is no valid one
   */
  int parse(int start, boolean spacedZone) {
    bytes.position = start;
    boolean right =
        bytes.isDigitAhead(0) ? yearFirst(spacedZone) : monthFirst(TimeParts.NO_YEAR, spacedZone);
    return right ? bytes.position : -1;
  }

  /**
   * Tries to read a timestamp that only one vendor writes: Meraki, NetScaler or Sophos.
   *
   * @return offset of the first byte after the timestamp, or -1 if there is no valid one
   */
  int parseVendors(int start) {
    bytes.position = start;
    // the byte after the first number
    boolean right =
        switch (bytes.at(bytes.skip(start, '0', '9'))) {
          case ' ' -> meraki();
          case '.' -> merakiSeconds();
          case '/' -> netScaler();
          case ':' -> sophosUtm();
          case 'd' -> sophosFirewall();
          default -> false;
        };
    return right ? bytes.position : -1;
  }

  /** Reads {@code 2023-10-11T22:14:15} or {@code 2023 Oct 11 22:14:15}. */
  private boolean yearFirst(boolean spacedZone) {
    if (bytes.ahead(4) == ' ') {
      int year = bytes.number(4);
      return year >= 0 && bytes.take(' ') && monthFirst(year, spacedZone);
    }
    return parts.date('-')
        && (bytes.take('T') || bytes.take('t') || bytes.take(" - ") || bytes.take(' '))
        && parts.clock()
        && parts.zone(spacedZone)
        && parts.resolve();
  }

  /** Reads {@code Oct 11 22:14:15}, perhaps with a year; returns whether it was there. */
  private boolean monthFirst(int yearBefore, boolean spacedZone) {
    int month = bytes.ahead(3) == ' ' ? month() : -1;
    if (month < 0) {
      return false;
    }
    bytes.take(' '); // a second space, if the day has one digit
    int day = bytes.isDigitAhead(1) ? bytes.number(2) : bytes.number(1);
    if (!bytes.take(' ')) {
      return false;
    }
    int year = yearBefore;
    // a year, because an hour's two digits end at a colon
    if (year == TimeParts.NO_YEAR && bytes.isDigitAhead(2)) {
      year = bytes.number(4);
      if (year < 0 || !bytes.take(' ')) {
        return false;
      }
    }
    if (!parts.clock()) {
      return false;
    }
    parts.halfOfDay();
    if (year == TimeParts.NO_YEAR) {
      year = yearBehind();
    }
    int behindClock = bytes.position;
    boolean right = parts.zone(spacedZone);
    if (right && year == TimeParts.NO_YEAR && bytes.position > behindClock) {
      year = yearBehind(); // RFC 3164's example has it behind the zone
    }
    return right && parts.resolve(year, month, day);
  }

  /**
   * Reads a year after the time, where some controllers write it. The number is a year only from
   * 1900 to 2099 and if a gap or a colon follows, because an IPv6 address may begin with one.
   */
  private int yearBehind() {
    int before = bytes.position;
    if (bytes.take(' ')) {
      int year = bytes.number(4);
      int behind = bytes.position;
      boolean whole = bytes.isGap(behind) || (bytes.at(behind) == ':' && bytes.isGap(behind + 1));
      if (year >= 1900 && year < 2100 && whole) {
        return year;
      }
    }
    bytes.position = before;
    return TimeParts.NO_YEAR;
  }

  /** Reads a month's name and the space after it; returns 1 to 12, or -1 if there is no month. */
  private int month() {
    int name = packed(bytes.ahead(0), bytes.ahead(1), bytes.ahead(2));
    bytes.position += 4;
    for (int i = 0; i < MONTHS.length; i++) {
      if (MONTHS[i] == name) {
        return i + 1;
      }
    }
    return -1;
  }

  /** Whether the name of a month or of a weekday begins here. */
  static boolean isOfDate(HeaderBytes bytes, int start) {
    int name = packed(bytes.at(start), bytes.at(start + 1), bytes.at(start + 2));
    return has(MONTHS, name) || has(WEEKDAYS, name);
  }

  /** Returns the offset after a weekday before a date, or {@code start} if there is none. */
  static int behindWeekday(HeaderBytes bytes, int start) {
    return bytes.at(start + 3) == ' '
            && bytes.isDate(start + 4)
            && has(WEEKDAYS, packed(bytes.at(start), bytes.at(start + 1), bytes.at(start + 2)))
        ? start + 4
        : start;
  }

  private static boolean has(int[] names, int name) {
    boolean found = false;
    for (int i = 0; i < names.length && !found; i++) {
      found = names[i] == name;
    }
    return found;
  }

  /** Packs three letters into a number, ignoring their case. */
  private static int packed(int first, int second, int third) {
    return (first | 0x20) << 16 | (second | 0x20) << 8 | (third | 0x20);
  }

  /** Reads Meraki's {@code 1 1563249630.774247467}: a version, and seconds since the epoch. */
  private boolean meraki() {
    return bytes.take("1 ") && merakiSeconds();
  }

  /** Reads the seconds since the epoch alone, as relays leave them. */
  private boolean merakiSeconds() {
    long high = bytes.number(5); // ten digits do not fit into an int
    long low = bytes.number(5);
    if (high < 0 || low < 0 || bytes.ahead(0) != '.' || !bytes.isDigitAhead(1)) {
      return false;
    }
    parts.resolve(high * 100_000 + low);
    return bytes.ahead(0) == ' ';
  }

  /**
   * Reads {@code 07/22/2023:13:26:58 GMT}; the device may be set to put the day or the year first.
   * If both month first and day first are valid, the time nearer to the receipt is taken.
   */
  private boolean netScaler() {
    if (bytes.ahead(4) == '/') {
      return parts.date('/') && netScalerClock() && parts.resolve();
    }
    int first = bytes.number(2);
    int second = bytes.take('/') ? bytes.number(2) : -1;
    int year = bytes.take('/') ? bytes.number(4) : -1;
    if (year < 0 || !netScalerClock()) {
      return false;
    }
    boolean isDay = parts.resolve(year, first, second);
    long away = parts.awayFromReceipt();
    boolean isDayFirst =
        parts.resolve(year, second, first) && (!isDay || parts.awayFromReceipt() < away);
    return isDayFirst || parts.resolve(year, first, second);
  }

  private boolean netScalerClock() {
    return bytes.take(':') && parts.clock() && parts.zone(true);
  }

  /** Reads a timestamp of Sophos UTM, such as {@code 2023:10:11-22:14:15}. */
  private boolean sophosUtm() {
    return parts.date(':') && bytes.take('-') && parts.clock() && parts.resolve();
  }

  /**
   * Reads {@code device="SFW" date=2023-10-11 time=22:14:15 timezone="CEST"}, or the newer {@code
   * device_name="SFW" timestamp="2023-10-11T22:14:15+0200"}.
   */
  private boolean sophosFirewall() {
    if (bytes.take("device_name=\"")) {
      int stamp = bytes.gap(bytes.position);
      boolean there = bytes.startsWith(stamp, " timestamp=\"");
      return there && parse(stamp + " timestamp=\"".length(), false) >= 0;
    }
    return bytes.take("device=\"SFW\" date=")
        && parts.date('-')
        && bytes.take(" time=")
        && parts.clock()
        && (!bytes.take(" timezone=\"") || parts.zone(false))
        && parts.resolve();
  }
}
