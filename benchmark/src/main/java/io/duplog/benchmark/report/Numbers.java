package io.duplog.benchmark.report;

import java.util.Locale;

/** Figures for people. */
public final class Numbers {
  private Numbers() {}

  /** Three digits, more where there are more before the point, and fewer where it is whole. */
  public static String text(double value) {
    String format =
        value >= 100 || value == Math.rint(value)
            ? "%,.0f"
            : value >= 10 ? "%.1f" : value >= 0.01 ? "%.2f" : "%.1e";
    return String.format(Locale.ROOT, format, value);
  }
}
