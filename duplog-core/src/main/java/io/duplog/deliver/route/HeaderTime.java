package io.duplog.deliver.route;

import java.time.Month;
import java.time.Year;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.chrono.IsoChronology;
import java.util.Arrays;

/**
 * Reads one timestamp: {@code 2023-10-11T22:14:15.003Z}, {@code Oct 11 22:14:15}, and that with a
 * year, a fraction and a zone in the places where senders put them. Used again for each message; it
 * allocates nothing.
 */
final class HeaderTime {
  /** Within this many milliseconds no other year can be nearer. */
  private static final long WELL_WITHIN_HALF_A_YEAR = 180 * 86_400_000L;

  /** The calendar's mean. */
  private static final long YEAR_MILLIS = 31_556_952_000L;

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

  private static final String MONTHS = "janfebmaraprmayjunjulaugsepoctnovdec";

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
    boolean leapDay = month == 2 && day == 29;
    boolean leap = year == NO_YEAR ? leapDay : Year.isLeap(year);
    if (day > Month.of(month).length(leap)) {
      return false;
    }
    if (year != NO_YEAR) {
      millis = instant(year, month, day);
      return true;
    }
    // Around New Year it may be the one beside, which is as good to begin at.
    int near = (int) (1970 + Math.floorDiv(nearMillis, YEAR_MILLIS));
    if (!leapDay || Year.isLeap(near)) {
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
      if (span == 1 || Year.isLeap(year)) {
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
    // Not LocalDate, of which every message would make one.
    long midnight =
        IsoChronology.INSTANCE.epochSecond(year, month, day, 0, 0, 0, ZoneOffset.UTC) * 1000;
    long local = midnight + millisOfDay;
    return hasOffset ? local - offsetMillis : zone.toEpochMillis(local, nearMillis);
  }

  private int month() {
    int found = 0;
    while (found < MONTHS.length() && !isNext(found)) {
      found += 3;
    }
    position += 3;
    return found < MONTHS.length() ? found / 3 + 1 : -1;
  }

  private boolean isNext(int name) {
    return (at(position) | 0x20) == MONTHS.charAt(name)
        && (at(position + 1) | 0x20) == MONTHS.charAt(name + 1)
        && (at(position + 2) | 0x20) == MONTHS.charAt(name + 2);
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
