package io.duplog.benchmark.soak;

import java.util.Locale;

/** Figures for people: of rates they want no decimals, of microseconds some. */
final class Numbers {
  private Numbers() {}

  /** With as many decimals as its size asks for; a dash for what is no number. */
  static String text(double value) {
    if (!Double.isFinite(value)) {
      return "-";
    }
    double size = Math.abs(value);
    String format = size >= 1000 ? "%,.0f" : size >= 10 ? "%.1f" : "%.3f";
    return String.format(Locale.ROOT, format, value);
  }

  /** With its sign. */
  static String difference(double value) {
    return (value > 0 ? "+" : "") + text(value);
  }

  /** A share in percent. */
  static String percent(double share) {
    return Double.isFinite(share) ? String.format(Locale.ROOT, "%.1f %%", 100 * share) : "-";
  }

  /** The same with its sign. */
  static String change(double share) {
    return (share > 0 ? "+" : "") + percent(share);
  }

  /** A confidence in percent; never 100, which nothing is. */
  static String confidence(double share) {
    return share > 0.9999 ? "> 99.99 %" : String.format(Locale.ROOT, "%.2f %%", 100 * share);
  }
}
