package io.duplog.benchmark.scenario;

/**
 * Looks for the highest rate that something sustains, by trying: a fifth less each time until one
 * is sustained, then in the middle of what is known. One thread.
 */
final class RateSearch {
  private static final double STEP_DOWN = 0.8;
  private static final int MOST_TRIALS = 12;

  private final double precision;
  private double sustained;
  private double tooHigh;
  private int trials;

  /**
   * @param tooHigh what can't be sustained, or only just
   * @param precision part of the rate within which the answer may be too low
   */
  RateSearch(double tooHigh, double precision) {
    if (!(tooHigh > 0) || !(precision > 0)) {
      throw new IllegalArgumentException("a search below " + tooHigh + " to " + precision);
    }
    this.tooHigh = tooHigh;
    this.precision = precision;
  }

  /** Whether more trials would tell little. */
  boolean isOver() {
    boolean near = sustained > 0 && tooHigh - sustained <= precision * tooHigh;
    return near || trials == MOST_TRIALS;
  }

  /** What to try now. */
  double next() {
    return sustained == 0 ? STEP_DOWN * tooHigh : (sustained + tooHigh) / 2;
  }

  /** What became of it. */
  void tried(boolean wasSustained) {
    double rate = next();
    trials++;
    if (wasSustained) {
      sustained = rate;
    } else {
      tooHigh = rate;
    }
  }

  /** The highest that was sustained; 0 if none was. */
  double highest() {
    return sustained;
  }
}
