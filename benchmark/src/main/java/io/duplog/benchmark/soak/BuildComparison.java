package io.duplog.benchmark.soak;

import java.util.List;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;
import org.apache.commons.statistics.distribution.TDistribution;

/**
 * Compares two builds by one figure: the ratio of B's figure to A's, in runs that were made one
 * after the other. If a machine is slower for a while, both runs of such a pair are slower.
 *
 * @param figure name of the figure in {@link Outcome}
 * @param a A's figure in each run
 * @param b B's figure in each run, in the same order
 * @param change geometric mean of the pairs' ratios, minus 1
 * @param least lower end of the change's confidence interval
 * @param most upper end of the change's confidence interval
 * @see "docs/decisions/benchmark.md#soak-statistics"
 */
record BuildComparison(
    String figure, List<Double> a, List<Double> b, double change, double least, double most) {
  /**
   * Probability that the confidence intervals of all figures of a soak hold together; so about one
   * of twenty soaks of equal builds reports a change.
   */
  static final double CONFIDENCE = 0.95;

  /** Smallest change that is reported, as a fraction: 0.05 is a change by 5 %. */
  static final double LEAST_CHANGE = 0.05;

  /**
   * Compares by Student's confidence interval of the ratios' logarithms, corrected by Bonferroni.
   *
   * @param a at least two positive figures
   * @param b as many positive figures
   * @param figures number of figures that the soak compares in all
   */
  static BuildComparison of(String figure, List<Double> a, List<Double> b, int figures) {
    int pairs = a.size();
    double[] logs =
        IntStream.range(0, pairs).mapToDouble(i -> Math.log(b.get(i) / a.get(i))).toArray();
    double mean = DoubleStream.of(logs).sum() / pairs;
    double squares = DoubleStream.of(logs).map(log -> (log - mean) * (log - mean)).sum();
    double error = Math.sqrt(squares / (pairs - 1) / pairs);
    double reach =
        error
            * TDistribution.of(pairs - 1)
                .inverseSurvivalProbability((1 - CONFIDENCE) / 2 / figures);
    return new BuildComparison(
        figure, a, b, Math.expm1(mean), Math.expm1(mean - reach), Math.expm1(mean + reach));
  }

  /** Whether the change is statistically significant, and large enough to be reported. */
  boolean isChange() {
    return (least > 0 || most < 0) && Math.abs(change) >= LEAST_CHANGE;
  }

  /**
   * Returns {@code better} or {@code worse}, or an empty text if nothing changed. A higher rate is
   * better; a higher value of any other figure is worse.
   */
  String verdict() {
    return !isChange() ? "" : change > 0 == figure.endsWith(Outcome.RATE) ? "better" : "worse";
  }

  /** Formats the change and its confidence interval. */
  String words() {
    return "%s, %s to %s".formatted(percent(change), percent(least), percent(most));
  }

  private static String percent(double share) {
    return share > 9.99 ? "> +999 %" : "%+.1f %%".formatted(100 * share);
  }
}
