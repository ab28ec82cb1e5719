package io.duplog.benchmark.report;

import com.google.common.math.Quantiles;
import java.util.Collection;
import java.util.Collections;

/**
 * The same figure, measured several times.
 *
 * @param median of an even number, the mean of the two in the middle
 */
record Spread(double median, double least, double most) {
  /**
   * @param values one at least
   */
  static Spread of(Collection<Double> values) {
    return new Spread(
        Quantiles.median().compute(values), Collections.min(values), Collections.max(values));
  }

  /** Such as {@code 1.20 to 3.50}. */
  String range() {
    return Numbers.text(least) + " to " + Numbers.text(most);
  }
}
