package io.duplog.benchmark.soak;

import java.util.List;
import java.util.Locale;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;
import org.apache.commons.statistics.distribution.TDistribution;

/**
 * Two builds by one figure: what B has by what A has, of runs that were made one after the other. A
 * machine that is slower for a while is slower for both of a pair.
 *
 * @param figure as {@link Outcome} calls it
 * @param a a sample of each run
 * @param b the same in the same order
 * @param change B's figure by A's, less 1: the geometric mean of the pairs
 * @param least the confidence interval of the change begins here
 * @param most and ends here
 */
record BuildComparison(
    String figure, List<Double> a, List<Double> b, double change, double least, double most) {
  /**
   * That no figure's change is outside its interval by chance, for all figures of a soak together:
   * of twenty soaks of equal builds one reports something.
   */
  static final double CONFIDENCE = 0.95;

  /** A change that is less is not reported, however sure. */
  static final double LEAST_CHANGE = 0.05;

  /**
   * Student's interval of the ratios' logarithms, by Bonferroni's method.
   *
   * @param a positive, two at least
   * @param b as many
   * @param figures how many are compared in all
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

  /** Whether the builds differ: surely enough, and enough. */
  boolean isChange() {
    return (least > 0 || most < 0) && Math.abs(change) >= LEAST_CHANGE;
  }

  /** What changed, or nothing: of a rate more is better, of all else less. */
  String verdict() {
    return !isChange() ? "" : change > 0 == figure.endsWith(Outcome.RATE) ? "better" : "worse";
  }

  /** The change, and its interval. */
  String words() {
    return "%s, %s to %s".formatted(percent(change), percent(least), percent(most));
  }

  private static String percent(double share) {
    return share > 9.99 ? "> +999 %" : String.format(Locale.ROOT, "%+.1f %%", 100 * share);
  }
}
