package io.duplog.benchmark.soak;

import org.apache.commons.statistics.inference.TTest;

/**
 * Two builds by one figure.
 *
 * @param confidence that their means differ: 1 - p of Welch's two-sided t-test, which does not
 *     suppose that both scatter alike
 */
record Comparison(Summary a, Summary b, double confidence) {
  /**
   * Above this coefficient of variation a figure is erratic: at 10 % it takes 31 runs of each build
   * to be as likely as not to notice a change of 5 %.
   */
  static final double ERRATIC_FROM = 0.10;

  /**
   * @throws IllegalArgumentException for fewer than two samples of a build
   */
  static Comparison of(Summary a, Summary b) {
    if (a.count() < 2 || b.count() < 2) {
      throw new IllegalArgumentException("two runs of each build at least");
    }
    return new Comparison(a, b, 1 - chance(a, b));
  }

  /** Of a difference like this, or a greater one, between runs of one and the same build. */
  private static double chance(Summary a, Summary b) {
    if (a.deviation() == 0 && b.deviation() == 0) {
      return a.mean() == b.mean() ? 1 : 0;
    }
    return TTest.withDefaults()
        .test(a.mean(), a.variance(), a.count(), b.mean(), b.variance(), b.count())
        .getPValue();
  }

  /** How much more B's mean is. */
  double delta() {
    return b.mean() - a.mean();
  }

  /** The same as a share of A's mean; infinite where that is 0 and B's is not. */
  double deltaShare() {
    return delta() == 0 ? 0 : delta() / Math.abs(a.mean());
  }

  /** Of the difference of the means. */
  double standardError() {
    return Math.hypot(a.standardError(), b.standardError());
  }

  /** Whether the runs of a build scatter too much for this figure to say a lot. */
  boolean isErratic() {
    return Math.max(a.coefficientOfVariation(), b.coefficientOfVariation()) > ERRATIC_FROM;
  }
}
