package io.duplog.benchmark.plan;

import java.util.Locale;

/**
 * One figure of a plan.
 *
 * @param what it is, in words
 * @param value in its unit; bytes are shown in larger ones
 * @param source where it comes from
 */
record Line(String what, double value, String unit, String source) {
  static final String BYTES = "B";

  /** With its unit, as one reads it. */
  String amount() {
    if (!unit.equals(BYTES)) {
      return number(value) + " " + unit;
    }
    if (value >= 1e12) {
      return number(value / 1e12) + " TB";
    }
    return value >= 1e9 ? number(value / 1e9) + " GB" : number(value / 1e6) + " MB";
  }

  /** In the unit that suits. */
  static String time(double seconds) {
    if (Double.isInfinite(seconds)) {
      return "never";
    }
    if (seconds >= 3600) {
      return number(seconds / 3600) + " h";
    }
    return seconds >= 60 ? number(seconds / 60) + " min" : number(seconds) + " s";
  }

  /** Three digits, more where there are more before the point. */
  static String number(double value) {
    if (value >= 100 || value == Math.rint(value)) {
      return String.format(Locale.ROOT, "%,.0f", value);
    }
    String format = value >= 10 ? "%.1f" : value >= 0.01 ? "%.2f" : "%.1e";
    return String.format(Locale.ROOT, format, value);
  }

  static String percent(double share) {
    return String.format(Locale.ROOT, "%.4f", 100 * share).replaceFirst("\\.?0+$", "") + " %";
  }
}
