package io.duplog.benchmark.soak;

import java.util.Arrays;

/**
 * Describes the samples of one build, one sample a run.
 *
 * @param deviation of the sample, with n - 1; NaN for a single one
 * @param median and the percentiles: interpolated between the two nearest samples, so that the
 *     first and the last are percentiles 0 and 100 (R's type 7)
 * @param skewness adjusted for the sample's size (Fisher and Pearson's G1); NaN for fewer than
 *     three samples, or where all are equal
 * @param outliers samples further than 1.5 times the interquartile range from the middle half
 *     (Tukey's fences)
 */
record Summary(
    int count,
    double mean,
    double deviation,
    double min,
    double median,
    double p90,
    double p95,
    double p99,
    double max,
    double skewness,
    int outliers) {

  private static final double FENCE = 1.5;

  /**
   * @throws IllegalArgumentException where there is none, or one is no number
   */
  static Summary of(double... samples) {
    if (samples.length == 0
        || Arrays.stream(samples).anyMatch(sample -> !Double.isFinite(sample))) {
      throw new IllegalArgumentException("no samples: " + Arrays.toString(samples));
    }
    double[] sorted = samples.clone();
    Arrays.sort(sorted);
    int count = sorted.length;
    double mean = Arrays.stream(sorted).sum() / count;
    double squares = Arrays.stream(sorted).map(sample -> Math.pow(sample - mean, 2)).sum();
    double cubes = Arrays.stream(sorted).map(sample -> Math.pow(sample - mean, 3)).sum();
    return new Summary(
        count,
        mean,
        count < 2 ? Double.NaN : Math.sqrt(squares / (count - 1)),
        sorted[0],
        percentile(sorted, 50),
        percentile(sorted, 90),
        percentile(sorted, 95),
        percentile(sorted, 99),
        sorted[count - 1],
        skewness(count, squares, cubes),
        outliers(sorted));
  }

  private static double percentile(double[] sorted, int percent) {
    double rank = (sorted.length - 1) * percent / 100.0;
    int below = (int) rank;
    int above = Math.min(below + 1, sorted.length - 1);
    return sorted[below] + (rank - below) * (sorted[above] - sorted[below]);
  }

  private static double skewness(double count, double squares, double cubes) {
    if (count < 3 || squares == 0) {
      return Double.NaN;
    }
    double ofThese = cubes / count / Math.pow(squares / count, 1.5);
    return ofThese * Math.sqrt(count * (count - 1)) / (count - 2);
  }

  private static int outliers(double[] sorted) {
    double low = percentile(sorted, 25);
    double high = percentile(sorted, 75);
    double reach = FENCE * (high - low);
    return (int)
        Arrays.stream(sorted)
            .filter(sample -> sample < low - reach || sample > high + reach)
            .count();
  }

  double variance() {
    return deviation * deviation;
  }

  /** Of the mean. */
  double standardError() {
    return deviation / Math.sqrt(count);
  }

  /** Deviation by mean; 0 where all samples are. */
  double coefficientOfVariation() {
    return deviation == 0 ? 0 : deviation / Math.abs(mean);
  }
}
