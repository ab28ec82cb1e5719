package io.duplog.benchmark.plan;

import com.fasterxml.jackson.annotation.JsonProperty;
import io.duplog.benchmark.report.Numbers;
import java.util.Locale;

/**
 * One calculated figure of a planned installation, with its unit and source.
 *
 * @param description short description of the figure
 * @param value value in its unit; bytes are shown in MB, GB or TB
 * @param source source of the figure
 */
record PlanFigure(
    @JsonProperty("what") String description, double value, String unit, String source) {
  static final String BYTES = "B";

  /** Formats the value with its unit, for people. */
  String amount() {
    if (!unit.equals(BYTES)) {
      return Numbers.text(value) + " " + unit;
    }
    if (value >= 1e12) {
      return Numbers.text(value / 1e12) + " TB";
    }
    return value >= 1e9 ? Numbers.text(value / 1e9) + " GB" : Numbers.text(value / 1e6) + " MB";
  }

  /** Formats a duration in seconds, minutes or hours; {@code never} if the duration is infinite. */
  static String time(double seconds) {
    if (Double.isInfinite(seconds)) {
      return "never";
    }
    if (seconds >= 3600) {
      return Numbers.text(seconds / 3600) + " h";
    }
    return seconds >= 60 ? Numbers.text(seconds / 60) + " min" : Numbers.text(seconds) + " s";
  }

  static String percent(double fraction) {
    return String.format(Locale.ROOT, "%.4f", 100 * fraction).replaceFirst("\\.?0+$", "") + " %";
  }
}
