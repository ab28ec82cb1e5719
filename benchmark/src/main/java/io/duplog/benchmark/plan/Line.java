package io.duplog.benchmark.plan;

import java.util.Locale;

/**
 * One figure of a plan.
 *
 * @param section that it belongs to
 * @param key as JSON calls it
 * @param what it is, in words
 * @param value in its unit; bytes and seconds are shown in larger ones where that is shorter
 * @param source where it comes from
 */
record Line(String section, String key, String what, double value, String unit, String source) {
  static final String BYTES = "B";
  static final String SECONDS = "s";
  private static final double MEGABYTE = 1e6;
  private static final double GIGABYTE = 1e9;
  private static final double TERABYTE = 1e12;
  private static final double MINUTE = 60;
  private static final double HOUR = 3600;

  /** With its unit, as one reads it. */
  String amount() {
    if (unit.equals(BYTES)) {
      return bytes();
    }
    if (unit.equals(SECONDS)) {
      return seconds(value);
    }
    return number(value) + " " + unit;
  }

  private String bytes() {
    if (value >= TERABYTE) {
      return number(value / TERABYTE) + " TB";
    }
    if (value >= GIGABYTE) {
      return number(value / GIGABYTE) + " GB";
    }
    return number(value / MEGABYTE) + " MB";
  }

  /** In the unit that suits. */
  static String seconds(double value) {
    if (Double.isInfinite(value)) {
      return "never";
    }
    if (value >= HOUR) {
      return number(value / HOUR) + " h";
    }
    return value >= MINUTE ? number(value / MINUTE) + " min" : number(value) + " s";
  }

  /** Three digits, more where there are more before the point. */
  static String number(double value) {
    if (value == 0) {
      return "0";
    }
    if (value >= 100) {
      return String.format(Locale.ROOT, "%,.0f", value);
    }
    if (value >= 10) {
      return String.format(Locale.ROOT, "%.1f", value);
    }
    return value >= 0.01
        ? String.format(Locale.ROOT, "%.2f", value)
        : String.format(Locale.ROOT, "%.1e", value);
  }
}
