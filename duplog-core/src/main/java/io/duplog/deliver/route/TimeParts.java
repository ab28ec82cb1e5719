package io.duplog.deliver.route;

import java.time.Duration;
import java.time.Month;
import java.time.Year;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.chrono.IsoChronology;

/**
 * Reads the parts of a timestamp, each from where the one before it ended, and makes a time of
 * them. Used again for each message; it allocates nothing.
 */
final class TimeParts {
  static final int NO_YEAR = -1;

  /** How far a time without a year may be ahead of the receipt. One further ahead is past. */
  private static final long MOST_AHEAD = Duration.ofDays(7).toMillis();

  /** The calendar's mean. */
  private static final long YEAR_MILLIS = 31_556_952_000L;

  /** Leap days and zones shift a New Year by less than this from where the mean puts it. */
  private static final long NEW_YEAR_SHIFT = Duration.ofDays(2).toMillis();

  private static final long HOUR_MILLIS = 3_600_000;

  private final HeaderBytes bytes;
  private final ZoneOffsets zone;

  private int position;
  private long receivedMillis;
  private long millisOfDay;
  private boolean hasOffset;
  private long offsetMillis;
  private long millis;

  /**
   * @param zone of timestamps that name none
   */
  TimeParts(HeaderBytes bytes, ZoneId zone) {
    this.bytes = bytes;
    this.zone = new ZoneOffsets(zone);
  }

  /**
   * Goes to a timestamp.
   *
   * @param receivedMillis decides where the timestamp leaves a choice
   */
  void begin(int start, long receivedMillis) {
    position = start;
    this.receivedMillis = receivedMillis;
    hasOffset = false;
  }

  /** Where reading has got to. */
  int position() {
    return position;
  }

  void moveTo(int position) {
    this.position = position;
  }

  /** The byte so far behind the position. */
  int ahead(int offset) {
    return bytes.at(position + offset);
  }

  boolean isDigitAhead(int offset) {
    return HeaderBytes.isDigit(ahead(offset));
  }

  /** The time, in milliseconds since the epoch. */
  long millis() {
    return millis;
  }

  boolean take(char expected) {
    boolean there = ahead(0) == expected;
    position += there ? 1 : 0;
    return there;
  }

  boolean take(String expected) {
    boolean there = bytes.startsWith(position, expected);
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

  /** {@code 22:14:15} and its fraction. */
  boolean clock() {
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
    millisOfDay = ((hour * 60L + minute) * 60 + second) * 1000 + fraction();
    return true;
  }

  /** {@code PM} behind the clock and the fraction behind that, if they follow. */
  void halfOfDay() {
    boolean afternoon = ahead(1) == 'P';
    boolean there = ahead(0) == ' ' && (afternoon || ahead(1) == 'A') && ahead(2) == 'M';
    if (there && (isBoundary(3) || ahead(3) == '.')) {
      position += 3;
      long hour = millisOfDay / HOUR_MILLIS;
      if (afternoon ? hour < 12 : hour == 12) {
        millisOfDay += (afternoon ? 12 : -12) * HOUR_MILLIS;
      }
      millisOfDay += fraction();
    }
  }

  /** In milliseconds; 0 where none follows. */
  int fraction() {
    int read = 0;
    if ((ahead(0) == '.' || ahead(0) == ',') && isDigitAhead(1)) {
      position++;
      for (int weight = 100; isDigitAhead(0); position++, weight /= 10) {
        read += weight * (ahead(0) - '0');
      }
    }
    return read;
  }

  /** The zone, if one follows. False only for an attached offset that can't be. */
  boolean zone(boolean maySpace) {
    hasOffset = false;
    int before = position;
    boolean spaced = maySpace && take(' ');
    int sign = ahead(0);
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

  /** {@code +02:00}, {@code +0200} or, attached or before a colon only, {@code +02}. */
  private boolean offset(int sign, boolean spaced) {
    position++;
    int hours = number(2);
    if (ahead(0) == ':' && isDigitAhead(1)) {
      position++;
    }
    boolean whole = ahead(0) == ':' || (!spaced && !isDigitAhead(0));
    int minutes = whole ? 0 : number(2);
    hasOffset = hours >= 0 && hours <= 23 && minutes >= 0 && minutes <= 59 && isBoundary(0);
    offsetMillis = (sign == '-' ? -1 : 1) * (hours * 60L + minutes) * 60_000;
    return hasOffset;
  }

  private boolean zoneName(boolean spaced) {
    offsetMillis = 0;
    if (!spaced && take('z')) {
      hasOffset = isBoundary(0);
      return hasOffset;
    }
    int from = position;
    long name = 0;
    while (ahead(0) >= 'A' && ahead(0) <= 'Z' && position - from < ZoneNames.LONGEST) {
      name = ZoneNames.with(name, ahead(0));
      position++;
    }
    hasOffset = ZoneNames.isUtc(name) && isBoundary(0);
    return hasOffset
        || (ZoneNames.isAmbiguous(name) && isBoundary(0)) // the configured zone holds
        || (position - from >= 3 && bytes.startsWith(position, ": %")); // a zone's, any name
  }

  private boolean isBoundary(int offset) {
    int c = ahead(offset);
    return position + offset >= bytes.end() || c == ' ' || c == ':' || c == '"';
  }

  /**
   * Makes the time of a day and of the clock and zone that were read.
   *
   * @param year or {@link #NO_YEAR}: the newest that is not too far ahead of the receipt
   * @return false where there is no such day
   */
  boolean resolve(int year, int month, int day) {
    if (month < 1 || month > 12 || day < 1) {
      return false;
    }
    boolean leapDay = month == 2 && day == 29;
    boolean leap = year == NO_YEAR ? leapDay : Year.isLeap(year);
    if (day > Month.of(month).length(leap)) {
      return false;
    }
    if (year == NO_YEAR) {
      newest(month, day, leapDay);
    } else {
      millis = instant(year, month, day);
    }
    return true;
  }

  private void newest(int month, int day, boolean leapDay) {
    long latest = receivedMillis + MOST_AHEAD;
    int year = (int) (1970 + Math.floorDiv(latest + NEW_YEAR_SHIFT, YEAR_MILLIS));
    do {
      millis = leapDay && !Year.isLeap(year) ? Long.MAX_VALUE : instant(year, month, day);
      year--;
    } while (millis > latest);
  }

  /** Sets the time to seconds since the epoch and the fraction that follows them. */
  void resolve(long epochSeconds) {
    millis = epochSeconds * 1000 + fraction();
  }

  private long instant(int year, int month, int day) {
    // Not LocalDate, of which every message would make one.
    long midnight =
        IsoChronology.INSTANCE.epochSecond(year, month, day, 0, 0, 0, ZoneOffset.UTC) * 1000;
    long local = midnight + millisOfDay;
    return hasOffset ? local - offsetMillis : zone.toEpochMillis(local, receivedMillis);
  }
}
