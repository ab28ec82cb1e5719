package io.duplog.benchmark.soak;

import java.util.Locale;

/** Figures for people: of rates they want no decimals, of microseconds some. */
final class Numbers {
  private Numbers() {}

  /** With as many decimals as its size asks for. */
  static String text(double value) {
    String format = value >= 1000 ? "%,.0f" : value >= 10 ? "%.1f" : "%.3f";
    return String.format(Locale.ROOT, format, value);
  }

  /** A share that is added or missing, in percent. */
  static String change(double share) {
    return share > 9.99 ? "> +999 %" : String.format(Locale.ROOT, "%+.1f %%", 100 * share);
  }
}
