package io.duplog.deliver.route;

import java.time.ZoneId;
import java.util.Arrays;

/**
 * Reads one timestamp: {@code 2023-10-11T22:14:15.003Z}, {@code Oct 11 22:14:15}, and that with a
 * year, a fraction and a zone in the places where senders put them. Used again for each message; it
 * allocates nothing.
 */
final class HeaderTime {
  /** Within this many milliseconds no other year can be nearer. */
  private static final long WELL_WITHIN_HALF_A_YEAR = 180 * Calendar.DAY_MILLIS;

  /** Leap years are at most 8 years apart, around 2100. */
  private static final int LEAP_YEARS_APART = 8;

  private static final int NO_YEAR = -1;

  /**
   * Abbreviations that mean different offsets to different senders. They are read over: the
   * configured zone holds.
   */
  private static final long[] AMBIGUOUS_ZONES =
      packed(
          "CET CEST MET MEST WET WEST EET EEST BST IST MSK EST EDT CST CDT MST MDT PST PDT AKST"
              + " AKDT HST AEST AEDT ACST AWST NZST NZDT JST KST SGT HKT");

  private static final long UTC = pack("UTC");
  private static final long GMT = pack("GMT");

  private final ZoneOffsets zone;

  private byte[] data = {};
  private int end;
  private long nearMillis;

  /** Where reading has got to. */
  private int position;

  private long millisOfDay;
  private boolean hasOffset;
  private long offsetMillis;
  private long millis;

  HeaderTime(ZoneId zone) {
    this.zone = new ZoneOffsets(zone);
  }

  /**
   * Tries to read a timestamp.
   *
   * @param spacedZone whether a zone may stand behind a space
   * @param nearMillis decides where the timestamp leaves a choice: the nearest time is taken
   * @return offset of the first byte behind it; -1 where there is none that is right
   */
  int parse(byte[] data, int start, int end, boolean spacedZone, long nearMillis) {
    this.data = data;
    this.end = end;
    this.nearMillis = nearMillis;
    position = start;
    boolean right = isDigit(at(start)) ? yearFirst(spacedZone) : monthFirst(NO_YEAR, spacedZone);
    return right ? position : -1;
  }

  /** The time that was read, in milliseconds since the epoch. */
  long millis() {
    return millis;
  }

  /** {@code 2023-10-11T22:14:15} or {@code 2023 Oct 11 22:14:15}. */
  private boolean yearFirst(boolean spacedZone) {
    int year = number(4);
    if (year < 0) {
      return false;
    }
    if (take(' ')) {
      return monthFirst(year, spacedZone);
    }
    if (!take('-')) {
      return false;
    }
    int month = number(2);
    if (!take('-')) {
      return false;
    }
    int day = number(2);
    if (!take('T') && !take('t') && !take(' ')) {
      return false;
    }
    return clock() && zone(spacedZone) && resolve(year, month, day);
  }

  /** {@code Oct 11 22:14:15}, {@code Oct 11 2023 22:14:15} or {@code Oct 11 22:14:15 2023}. */
  private boolean monthFirst(int yearBefore, boolean spacedZone) {
    int month = month();
    if (month < 0 || !take(' ')) {
      return false;
    }
    take(' '); // where the day has one digit
    int day = isDigit(at(position + 1)) ? number(2) : number(1);
    if (!take(' ')) {
      return false;
    }
    int year = yearBefore;
    if (year == NO_YEAR && isDigit(at(position + 2))) { // and no colon
      year = number(4);
      if (year < 0 || !take(' ')) {
        return false;
      }
    }
    if (!clock()) {
      return false;
    }
    if (year == NO_YEAR) {
      year = yearBehind();
    }
    return zone(spacedZone) && resolve(year, month, day);
  }

  /** The year behind the time, as some controllers write it; no other number looks like it. */
  private int yearBehind() {
    int before = position;
    if (take(' ')) {
      int year = number(4);
      if (year >= 1900 && year < 2100 && isBoundary(position)) {
        return year;
      }
    }
    position = before;
    return NO_YEAR;
  }

  /** {@code 22:14:15} and its fraction. */
  private boolean clock() {
    int hour = number(2);
    if (hour < 0 || hour > 23 || !take(':')) {
      return false;
    }
    int minute = number(2);
    if (minute < 0 || minute > 59 || !take(':')) {
      return false;
    }
    int second = number(2);
    if (second < 0 || second > 60) {
      return false;
    }
    millisOfDay = ((hour * 60L + minute) * 60 + second) * 1000;
    if ((at(position) == '.' || at(position) == ',') && isDigit(at(position + 1))) {
      position++;
      for (int weight = 100; isDigit(at(position)); position++, weight /= 10) {
        millisOfDay += (long) weight * (at(position) - '0');
      }
    }
    return true;
  }

  /** The zone, if one follows. False only for an attached offset that can't be. */
  private boolean zone(boolean spacedZone) {
    hasOffset = false;
    int before = position;
    boolean spaced = spacedZone && take(' ');
    int sign = at(position);
    if (sign == '+' || sign == '-') {
      if (offset(sign, spaced)) {
        return true;
      }
      position = before;
      return spaced;
    }
    if (!zoneName(spaced)) {
      position = before;
    }
    return true;
  }

  /** {@code +02:00}, {@code +0200} or, attached only, {@code +02}. */
  private boolean offset(int sign, boolean spaced) {
    position++;
    int hours = number(2);
    if (at(position) == ':' && isDigit(at(position + 1))) {
      position++;
    }
    boolean whole = !spaced && !isDigit(at(position));
    int minutes = whole ? 0 : number(2);
    hasOffset = hours >= 0 && hours <= 23 && minutes >= 0 && minutes <= 59 && isBoundary(position);
    offsetMillis = (sign == '-' ? -1 : 1) * (hours * 60L + minutes) * 60_000;
    return hasOffset;
  }

  private boolean zoneName(boolean spaced) {
    if (!spaced && take('z')) {
      hasOffset = isBoundary(position);
      offsetMillis = 0;
      return hasOffset;
    }
    int from = position;
    long name = 0;
    while (at(position) >= 'A' && at(position) <= 'Z' && position - from < 5) {
      name = name << 8 | at(position++);
    }
    hasOffset = (name == UTC || name == GMT || name == 'Z') && isBoundary(position);
    offsetMillis = 0;
    return hasOffset
        || (Arrays.binarySearch(AMBIGUOUS_ZONES, name) >= 0 && isBoundary(position))
        || (position - from >= 3 && isBeforeMnemonic(position));
  }

  /** Whether {@code : %SYS-5-CONFIG_I:} follows: then the word before it is a zone's, any name. */
  private boolean isBeforeMnemonic(int index) {
    return at(index) == ':' && at(index + 1) == ' ' && at(index + 2) == '%';
  }

  private boolean resolve(int year, int month, int day) {
    if (month < 1 || month > 12 || day < 1) {
      return false;
    }
    if (year != NO_YEAR) {
      millis = instant(year, month, day);
      return day <= Calendar.daysOfMonth(year, month);
    }
    boolean leapDay = month == 2 && day == 29;
    if (!leapDay && day > Calendar.daysOfMonth(1, month)) {
      return false;
    }
    int near = Calendar.yearOf(nearMillis);
    if (!leapDay || Calendar.isLeap(near)) {
      millis = instant(near, month, day);
      if (Math.abs(millis - nearMillis) <= WELL_WITHIN_HALF_A_YEAR) {
        return true;
      }
    }
    nearest(near, month, day, leapDay ? LEAP_YEARS_APART : 1);
    return true;
  }

  private void nearest(int near, int month, int day, int span) {
    long best = Long.MAX_VALUE;
    for (int year = near - span; year <= near + span; year++) {
      if (span == 1 || Calendar.isLeap(year)) {
        long candidate = instant(year, month, day);
        long distance = Math.abs(candidate - nearMillis);
        if (distance < best) {
          best = distance;
          millis = candidate;
        }
      }
    }
  }

  private long instant(int year, int month, int day) {
    long local = Calendar.epochDay(year, month, day) * Calendar.DAY_MILLIS + millisOfDay;
    return hasOffset ? local - offsetMillis : zone.toEpochMillis(local, nearMillis);
  }

  private int month() {
    int name =
        (at(position) | 0x20) << 16 | (at(position + 1) | 0x20) << 8 | at(position + 2) | 0x20;
    position += 3;
    return switch (name) {
      case 'j' << 16 | 'a' << 8 | 'n' -> 1;
      case 'f' << 16 | 'e' << 8 | 'b' -> 2;
      case 'm' << 16 | 'a' << 8 | 'r' -> 3;
      case 'a' << 16 | 'p' << 8 | 'r' -> 4;
      case 'm' << 16 | 'a' << 8 | 'y' -> 5;
      case 'j' << 16 | 'u' << 8 | 'n' -> 6;
      case 'j' << 16 | 'u' << 8 | 'l' -> 7;
      case 'a' << 16 | 'u' << 8 | 'g' -> 8;
      case 's' << 16 | 'e' << 8 | 'p' -> 9;
      case 'o' << 16 | 'c' << 8 | 't' -> 10;
      case 'n' << 16 | 'o' << 8 | 'v' -> 11;
      case 'd' << 16 | 'e' << 8 | 'c' -> 12;
      default -> -1;
    };
  }

  /** Reads exactly so many digits; -1 where they are not there. */
  private int number(int digits) {
    int value = 0;
    for (int i = 0; i < digits; i++) {
      if (!isDigit(at(position))) {
        return -1;
      }
      value = value * 10 + at(position++) - '0';
    }
    return value;
  }

  private boolean take(char expected) {
    boolean there = at(position) == expected;
    position += there ? 1 : 0;
    return there;
  }

  private boolean isBoundary(int index) {
    return index >= end || at(index) == ' ' || at(index) == ':';
  }

  /** The byte there; -1, which is no ASCII character, behind the end. */
  private int at(int index) {
    return index < end ? data[index] : -1;
  }

  private static boolean isDigit(int c) {
    return c >= '0' && c <= '9';
  }

  private static long[] packed(String names) {
    return Arrays.stream(names.split(" ", -1)).mapToLong(HeaderTime::pack).sorted().toArray();
  }

  private static long pack(String name) {
    return name.chars().asLongStream().reduce(0, (packed, c) -> packed << 8 | c);
  }
}
