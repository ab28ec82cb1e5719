package io.duplog.benchmark.plan;

import io.duplog.benchmark.report.Numbers;
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
      return Numbers.text(value) + " " + unit;
    }
    if (value >= 1e12) {
      return Numbers.text(value / 1e12) + " TB";
    }
    return value >= 1e9 ? Numbers.text(value / 1e9) + " GB" : Numbers.text(value / 1e6) + " MB";
  }

  /** In the unit that suits. */
  static String time(double seconds) {
    if (Double.isInfinite(seconds)) {
      return "never";
    }
    if (seconds >= 3600) {
      return Numbers.text(seconds / 3600) + " h";
    }
    return seconds >= 60 ? Numbers.text(seconds / 60) + " min" : Numbers.text(seconds) + " s";
  }

  static String percent(double share) {
    return String.format(Locale.ROOT, "%.4f", 100 * share).replaceFirst("\\.?0+$", "") + " %";
  }
}
