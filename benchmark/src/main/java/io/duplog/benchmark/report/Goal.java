package io.duplog.benchmark.report;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import com.google.common.collect.Streams;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A speed or a size that is to be reached, and where to find whether it is.
 *
 * @param what is measured, and how, in a few words
 * @param least the limit where it is the least that is good; else null
 * @param most the limit where it is the most that is good; else null
 * @param take what is made of the figures; null for the first of them
 * @param of the figures
 */
record Goal(
    String what,
    @Nullable Double least,
    @Nullable Double most,
    String unit,
    @Nullable Take take,
    Figures of) {

  /** What is made of several figures. */
  enum Take {
    LAST,
    /** How many times the first the greatest is. */
    GROWTH,
    /** The first by the second. */
    RATIO
  }

  /**
   * Figures of a scenario.
   *
   * @param runs what the names of the runs begin with
   * @param figure its place in a run, such as {@code /latency_ms/avg}
   * @param divisor of the figures; null for 1
   */
  record Figures(String scenario, List<String> runs, String figure, @Nullable Double divisor) {

    /**
     * Those that were measured, in the order of the runs.
     *
     * @param results by scenario
     */
    double[] in(Map<String, JsonNode> results) {
      JsonNode measured = results.getOrDefault(scenario, MissingNode.getInstance()).path("runs");
      return runs.stream()
          .flatMap(
              name ->
                  Streams.stream(measured)
                      .filter(run -> run.path("variant").asText().startsWith(name)))
          .map(run -> run.at(figure))
          .filter(JsonNode::isNumber)
          .mapToDouble(each -> each.asDouble() / (divisor == null ? 1 : divisor))
          .toArray();
    }
  }

  /** Finds it; not a number where it was not measured. */
  double reached(Map<String, JsonNode> results) {
    double[] figures = of.in(results);
    boolean several = take == Take.GROWTH || take == Take.RATIO;
    if (figures.length < (several ? 2 : 1)) {
      return Double.NaN;
    }
    if (take == null) {
      return figures[0];
    }
    return switch (take) {
      case LAST -> figures[figures.length - 1];
      case GROWTH -> Arrays.stream(figures).max().orElseThrow() / figures[0];
      case RATIO -> figures[0] / figures[1];
    };
  }

  /** Whether a figure reaches it. */
  boolean isMet(double value) {
    return (least == null || value >= least) && (most == null || value <= most);
  }

  /** Such as {@code ≤ 20 ms}. */
  String limit() {
    String limit =
        least != null ? "≥ " + Numbers.text(least) : most == null ? "" : "≤ " + Numbers.text(most);
    return limit + " " + unit;
  }
}
