package io.duplog.benchmark.report;

/** Formats numbers with three significant digits for reports. */
public final class Numbers {
  private Numbers() {}

  /**
   * Formats a number to about three significant digits, such as {@code 1,234}, {@code 12.3} or
   * {@code 0.12}. Whole numbers have no decimals.
   */
  public static String text(double value) {
    String format =
        value >= 100 || value == Math.rint(value)
            ? "%,.0f"
            : value >= 10 ? "%.1f" : value >= 0.01 ? "%.2f" : "%.1e";
    return format.formatted(value);
  }
}
