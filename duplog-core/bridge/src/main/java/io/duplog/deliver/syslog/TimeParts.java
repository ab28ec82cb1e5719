package io.duplog.deliver.syslog;

import java.time.Duration;
import java.time.Month;
import java.time.Year;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.chrono.IsoChronology;

/**
 * Reads the parts of a timestamp, such as date, clock and zone, and computes the time from them.
 * Each thread has one instance, which handles all its messages and allocates nothing. Not
 * thread-safe.
 */
final class TimeParts {
  static final int NO_YEAR = -1;

  /** Limit in milliseconds for how far a time without a year may lie after its receipt. */
  private static final long MAX_AHEAD = Duration.ofDays(7).toMillis();

  /** Mean length of a calendar year in milliseconds. */
  private static final long YEAR_MILLIS = 31_556_952_000L;

  /** Milliseconds added before dividing by {@link #YEAR_MILLIS}, so that no year is too low. */
  private static final long NEW_YEAR_SHIFT = Duration.ofDays(2).toMillis();

  private static final long HOUR_MILLIS = 3_600_000;

  private final HeaderBytes bytes;
  private final ZoneOffsets zone;

  private long receivedMillis;
  private int year;
  private int month;
  private int day;
  private long millisOfDay;
  private boolean hasOffset;
  private long offsetMillis;
  private long millis;

  /**
   * Makes a reader.
   *
   * @param zone of timestamps that name no zone
   */
  TimeParts(HeaderBytes bytes, ZoneId zone) {
    this.bytes = bytes;
    this.zone = new ZoneOffsets(zone);
  }

  /** Sets the message's time of receipt, which decides if a timestamp is ambiguous. */
  void received(long millis) {
    receivedMillis = millis;
  }

  /** Returns the time computed last, in milliseconds since the epoch. */
  long millis() {
    return millis;
  }

  long awayFromReceipt() {
    return Math.abs(millis - receivedMillis);
  }

  /** Reads a date such as {@code 2023-10-11}, with the given separator. */
  boolean date(char separator) {
    year = bytes.number(4);
    month = bytes.take(separator) ? bytes.number(2) : -1;
    day = bytes.take(separator) ? bytes.number(2) : -1;
    return year >= 0;
  }

  /**
   * Reads a time of day such as {@code 22:14:15}, perhaps with a fraction; returns whether it was
   * there.
   */
  boolean clock() {
    hasOffset = false;
    int hour = bytes.number(2);
    int minute = bytes.take(':') ? bytes.number(2) : -1;
    int second = bytes.take(':') ? bytes.number(2) : -1;
    if (hour < 0 || hour > 23 || minute < 0 || minute > 59 || second < 0 || second > 60) {
      return false;
    }
    millisOfDay = ((hour * 60L + minute) * 60 + second) * 1000 + fraction();
    return true;
  }

  /**
   * Reads {@code AM} or {@code PM} if it comes next, and a fraction of a second if that follows.
   */
  void halfOfDay() {
    boolean afternoon = bytes.ahead(1) == 'P';
    boolean there =
        bytes.ahead(0) == ' ' && (afternoon || bytes.ahead(1) == 'A') && bytes.ahead(2) == 'M';
    if (there && (isBoundary(3) || bytes.ahead(3) == '.') && !bytes.isProgram(bytes.position + 4)) {
      bytes.position += 3;
      long hour = millisOfDay / HOUR_MILLIS;
      if (afternoon ? hour < 12 : hour == 12) {
        millisOfDay += (afternoon ? 12 : -12) * HOUR_MILLIS;
      }
      millisOfDay += fraction();
    }
  }

  /** Reads a fraction of a second; returns it in milliseconds, or 0 if none follows. */
  private int fraction() {
    int read = 0;
    int mark = bytes.ahead(0);
    boolean comware = mark == ':' && bytes.isDigitAhead(2) && bytes.isDigitAhead(3);
    if ((mark == '.' || mark == ',' || comware) && bytes.isDigitAhead(1)) {
      bytes.position++;
      for (int weight = 100; bytes.isDigitAhead(0); weight /= 10) {
        read += weight * bytes.number(1);
      }
    }
    return read;
  }

  /**
   * Reads a zone if one follows; returns false only for an invalid offset without a space before
   * it.
   */
  boolean zone(boolean maySpace) {
    int before = bytes.position;
    boolean spaced = maySpace && bytes.take(' ');
    int sign = bytes.ahead(0);
    boolean signed = sign == '+' || sign == '-';
    boolean there = signed ? offset(sign, spaced) : zoneName(spaced);
    if (!there) {
      bytes.position = before;
    }
    return there || spaced || !signed;
  }

  /**
   * Reads a zone's offset such as {@code +02:00} or {@code +0200}. Hours alone, such as {@code
   * +02}, are accepted only without a space before them or with a colon after them.
   */
  private boolean offset(int sign, boolean spaced) {
    bytes.position++;
    int hours = bytes.number(2);
    if (bytes.isDigitAhead(1)) {
      bytes.take(':');
    }
    boolean whole = bytes.ahead(0) == ':' || (!spaced && !bytes.isDigitAhead(0));
    int minutes = whole ? 0 : bytes.number(2);
    hasOffset = hours >= 0 && hours <= 23 && minutes >= 0 && minutes <= 59 && isBoundary(0);
    offsetMillis = (sign == '-' ? -1 : 1) * (hours * 60L + minutes) * 60_000;
    return hasOffset;
  }

  /**
   * Reads a zone's name. If its offset is ambiguous or unknown, the configured zone is used. Small
   * letters, or an unknown name, count as a zone only before Cisco's mnemonic.
   */
  private boolean zoneName(boolean spaced) {
    int from = bytes.position;
    if (!spaced && bytes.take('z')) {
      offsetMillis = 0;
      hasOffset = isBoundary(0);
      return hasOffset;
    }
    int capitals = bytes.skip(from, 'A', 'Z');
    int sign = bytes.at(capitals);
    if ((sign == '+' || sign == '-') && capitals - from <= 3) {
      return namedOffset(from, capitals);
    }
    boolean mayBeMnemonics = bytes.at(from + 3) == ':' || bytes.at(from + 4) == ':';
    int zoneEnd = mayBeMnemonics ? bytes.skipLetters(from) : capitals;
    boolean beforeMnemonic = zoneEnd - from >= 3 && bytes.startsWith(zoneEnd, ": %");
    if (zoneEnd == from || (capitals < zoneEnd && !beforeMnemonic)) {
      return false;
    }
    int zone = ZoneNames.find(bytes, from, zoneEnd);
    bytes.position = zoneEnd;
    boolean known = zone >= 0 && isBoundary(0);
    hasOffset = known && ZoneNames.offsetMillis(zone) != ZoneNames.UNKNOWN;
    offsetMillis = hasOffset ? ZoneNames.offsetMillis(zone) : 0;
    return known || beforeMnemonic;
  }

  /**
   * Reads {@code UTC+2} or {@code GMT-05:30}. The offset of {@code TZ-6}, which RFC 3164 has in an
   * example, counts the other way for some senders; so the configured zone is used.
   */
  private boolean namedOffset(int from, int signAt) {
    boolean utc = bytes.startsWith(from, "UTC") || bytes.startsWith(from, "GMT");
    bytes.position = signAt + 1;
    int hours = bytes.number(bytes.isDigitAhead(1) ? 2 : 1);
    int minutes = bytes.take(':') ? bytes.number(2) : 0;
    boolean there =
        (utc || bytes.startsWith(from, "TZ"))
            && hours >= 0
            && hours <= 14
            && minutes >= 0
            && minutes <= 59
            && isBoundary(0);
    hasOffset = there && utc;
    offsetMillis = (bytes.at(signAt) == '-' ? -1 : 1) * (hours * 60L + minutes) * 60_000;
    return there;
  }

  private boolean isBoundary(int offset) {
    int c = bytes.ahead(offset);
    return c == ' ' || c == ':' || c == '"' || bytes.position + offset >= bytes.end();
  }

  /** Computes the time from the last {@link #date} and the clock and zone that were read. */
  boolean resolve() {
    return resolve(year, month, day);
  }

  /** Sets the time to these seconds since the epoch, plus a fraction if one follows. */
  void resolve(long epochSeconds) {
    millis = epochSeconds * 1000 + fraction();
  }

  /**
   * Makes a time of a day and of the clock and zone that were read.
   *
   * @param year the year, or {@link #NO_YEAR} to choose the latest year that is not too far ahead
   *     of the receipt
   * @return false if there is no such day
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
    millis = year == NO_YEAR ? newest(month, day, leapDay) : instant(year, month, day);
    return true;
  }

  private long newest(int month, int day, boolean leapDay) {
    long latest = receivedMillis + MAX_AHEAD;
    int year = (int) (1970 + Math.floorDiv(latest + NEW_YEAR_SHIFT, YEAR_MILLIS));
    while (true) {
      long candidate = leapDay && !Year.isLeap(year) ? Long.MAX_VALUE : instant(year, month, day);
      if (candidate <= latest) {
        return candidate;
      }
      year--;
    }
  }

  private long instant(int year, int month, int day) {
    // LocalDate would allocate an object for every message.
    long midnight =
        IsoChronology.INSTANCE.epochSecond(year, month, day, 0, 0, 0, ZoneOffset.UTC) * 1000;
    long local = midnight + millisOfDay;
    return hasOffset ? local - offsetMillis : zone.toEpochMillis(local, receivedMillis);
  }
}
