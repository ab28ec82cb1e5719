package io.duplog.deliver.route;

/**
 * The Gregorian calendar in plain arithmetic, because java.time makes an object of every date. The
 * formulas count days in years that begin in March, so that the leap day is a year's last.
 */
final class Calendar {
  static final long DAY_MILLIS = 86_400_000L;

  private static final int DAYS_OF_400_YEARS = 146_097;
  private static final int DAYS_TO_THE_EPOCH = 719_468;

  private Calendar() {}

  static boolean isLeap(int year) {
    return year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
  }

  /**
   * @param month 1 to 12
   */
  static int daysOfMonth(int year, int month) {
    return switch (month) {
      case 2 -> isLeap(year) ? 29 : 28;
      case 4, 6, 9, 11 -> 30;
      default -> 31;
    };
  }

  /** Days since 1970-01-01. */
  static long epochDay(int year, int month, int day) {
    long marchYear = month <= 2 ? year - 1L : year;
    long era = Math.floorDiv(marchYear, 400L);
    long yearOfEra = marchYear - era * 400;
    long dayOfYear = (153L * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1;
    long dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear;
    return era * DAYS_OF_400_YEARS + dayOfEra - DAYS_TO_THE_EPOCH;
  }

  /** The year, in UTC, of a time in milliseconds since the epoch. */
  static int yearOf(long epochMillis) {
    long day = Math.floorDiv(epochMillis, DAY_MILLIS) + DAYS_TO_THE_EPOCH;
    long era = Math.floorDiv(day, (long) DAYS_OF_400_YEARS);
    long dayOfEra = day - era * DAYS_OF_400_YEARS;
    long yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365;
    long dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100);
    long marchYear = yearOfEra + era * 400;
    return (int) (dayOfYear >= 306 ? marchYear + 1 : marchYear);
  }
}
