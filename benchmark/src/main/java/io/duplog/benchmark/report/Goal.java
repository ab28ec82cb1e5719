package io.duplog.benchmark.report;

import java.util.List;
import java.util.OptionalDouble;
import java.util.function.Function;

/**
 * A speed or a size that is to be reached, and where to find whether it is.
 *
 * @param what is measured, and how, in a few words
 * @param least whether the limit is the least that is good; else it is the most
 * @param limit in the unit
 * @param figure finds it among results; empty where it was not measured
 */
record Goal(
    String what,
    boolean least,
    double limit,
    String unit,
    Function<Results, OptionalDouble> figure) {

  /** The first figure of a scenario's run whose name begins so, divided. */
  static Function<Results, OptionalDouble> of(
      String scenario, String variant, String place, double divisor) {
    return results -> divided(results.first(scenario, variant, place), divisor);
  }

  /** The last such figure. */
  static Function<Results, OptionalDouble> last(String scenario, String variant, String place) {
    return results -> {
      List<Double> all = results.all(scenario, variant, place);
      return all.isEmpty() ? OptionalDouble.empty() : OptionalDouble.of(all.get(all.size() - 1));
    };
  }

  /**
   * How many times the first of several runs the most expensive one costs.
   *
   * @param variants what the names begin with; each is one run, or a series of them
   */
  static Function<Results, OptionalDouble> growth(
      String scenario, List<String> variants, String place) {
    return results -> {
      double[] all =
          variants.stream()
              .flatMap(variant -> results.all(scenario, variant, place).stream())
              .mapToDouble(Double::doubleValue)
              .toArray();
      if (all.length < 2 || all[0] <= 0) {
        return OptionalDouble.empty();
      }
      double most = 0;
      for (double each : all) {
        most = Math.max(most, each);
      }
      return OptionalDouble.of(most / all[0]);
    };
  }

  private static OptionalDouble divided(OptionalDouble value, double divisor) {
    return value.isPresent() ? OptionalDouble.of(value.getAsDouble() / divisor) : value;
  }

  /** Whether a figure reaches it. */
  boolean isMet(double value) {
    return least ? value >= limit : value <= limit;
  }
}
