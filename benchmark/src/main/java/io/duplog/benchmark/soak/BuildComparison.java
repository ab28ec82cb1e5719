package io.duplog.benchmark.soak;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.util.List;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;
import org.apache.commons.statistics.distribution.TDistribution;

/**
 * Compares one measured figure of two builds, and says whether the difference is more than chance.
 * It compares pairs of consecutive runs: if the machine is slower for a while, both runs of a pair
 * are slower.
 *
 * @param figure name of the figure in {@link Outcome}
 * @param a A's figure in each run
 * @param b B's figure in each run, in the same order
 * @param change geometric mean of the pairs' ratios, minus 1
 * @param minChange lower end of the change's confidence interval
 * @param maxChange upper end of the change's confidence interval
 * @see "docs/decisions/benchmark.md#soak-statistics"
 */
record BuildComparison(
    String figure,
    List<Double> a,
    List<Double> b,
    double change,
    @JsonProperty("least") double minChange,
    @JsonProperty("most") double maxChange) {
  /**
   * Joint probability of the confidence intervals of all figures of a soak. About one of twenty
   * soaks of equal builds therefore reports a change.
   */
  static final double CONFIDENCE = 0.95;

  /** Smallest reported change, as a fraction: 0.05 is a change by 5 %. */
  static final double MIN_CHANGE = 0.05;

  /**
   * Compares by Student's confidence interval of the ratios' logarithms, corrected by Bonferroni.
   *
   * @param a at least two positive figures
   * @param b as many positive figures
   * @param figures total number of figures that the soak compares
   */
  static BuildComparison of(String figure, List<Double> a, List<Double> b, int figures) {
    int pairs = a.size();
    double[] logs =
        IntStream.range(0, pairs).mapToDouble(i -> Math.log(b.get(i) / a.get(i))).toArray();
    double mean = DoubleStream.of(logs).sum() / pairs;
    double squares = DoubleStream.of(logs).map(log -> (log - mean) * (log - mean)).sum();
    double standardError = Math.sqrt(squares / (pairs - 1) / pairs);
    double halfWidth =
        standardError
            * TDistribution.of(pairs - 1)
                .inverseSurvivalProbability((1 - CONFIDENCE) / 2 / figures);
    return new BuildComparison(
        figure, a, b, Math.expm1(mean), Math.expm1(mean - halfWidth), Math.expm1(mean + halfWidth));
  }

  /** Whether the change is statistically significant, and large enough to be reported. */
  boolean isChange() {
    return (minChange > 0 || maxChange < 0) && Math.abs(change) >= MIN_CHANGE;
  }

  /**
   * Returns {@code better} or {@code worse}, or an empty text if nothing changed. A higher rate is
   * better. A higher value of any other figure is worse.
   */
  String verdict() {
    return !isChange() ? "" : change > 0 == figure.endsWith(Outcome.RATE) ? "better" : "worse";
  }

  /** Formats the change and its confidence interval. */
  String text() {
    return "%s, %s to %s".formatted(percent(change), percent(minChange), percent(maxChange));
  }

  private static String percent(double share) {
    return share > 9.99 ? "> +999 %" : "%+.1f %%".formatted(100 * share);
  }
}
