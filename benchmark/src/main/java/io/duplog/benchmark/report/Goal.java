package io.duplog.benchmark.report;

import com.fasterxml.jackson.annotation.JsonProperty;
import io.duplog.benchmark.measure.Latency;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.function.ToDoubleFunction;
import org.jspecify.annotations.Nullable;

/**
 * A published goal for the speed of Duplog, and whether measured figures meet it.
 *
 * @param description short description of the figure
 * @param min smallest value that meets the goal, or null if there is none
 * @param max largest value that meets the goal, or null if there is none. Without any limit, the
 *     figure is only shown.
 * @param numerator the figure, or the ratio's numerator
 * @param denominator the ratio's denominator, from the same round, or null for a plain figure
 * @param note for a goal that is not met: its cause, and the attempted remedies; or null if there
 *     is no note
 */
record Goal(
    @JsonProperty("what") String description,
    @JsonProperty("least") @Nullable Double min,
    @JsonProperty("most") @Nullable Double max,
    String unit,
    @JsonProperty("of") Figure numerator,
    @JsonProperty("by") @Nullable Figure denominator,
    @Nullable String note) {
  static final String MISSED = "**no**";

  /**
   * A figure of a run.
   *
   * @param run the run's name
   * @param name {@code rate}; {@code cpu} (of all processes but the generator); {@code compiled}
   *     ({@code cpu} without Java's compilers); {@code ours} (of shims and bridges); {@code avg} or
   *     {@code p99} of the latency; or the name of one of the run's own figures
   */
  record Figure(String run, String name) {
    static final String AVERAGE = "avg";
    static final String P99 = "p99";

    /**
     * Returns the figure in a round; NaN if it was not measured, or if the run was spoilt or lost
     * messages.
     */
    double in(Map<String, Run> round) {
      Run measured = round.get(run);
      if (measured == null || !measured.isUsable()) {
        return Double.NaN;
      }
      return switch (name) {
        case "rate" -> measured.rate();
        case "cpu" -> measured.cpuMicrosWithoutGenerator();
        case "compiled" ->
            measured.cpuMicrosWithoutGenerator()
                - measured.figures().getOrDefault(Run.COMPILERS, Double.NaN);
        case "ours" -> cpu(measured, "shim") + cpu(measured, "bridge");
        case AVERAGE -> millis(measured, Latency::averageMillis);
        case P99 -> millis(measured, Latency::p99Millis);
        default -> measured.figures().getOrDefault(name, Double.NaN);
      };
    }

    private static double cpu(Run run, String process) {
      return run.cpuMicros().getOrDefault(process, Double.NaN);
    }

    private static double millis(Run run, ToDoubleFunction<Latency> figure) {
      Latency latency = run.latency();
      return latency == null ? Double.NaN : figure.applyAsDouble(latency);
    }
  }

  /** Returns the value of this goal's figure or ratio in each round in which it was measured. */
  List<Double> values(Collection<Map<String, Run>> rounds) {
    return rounds.stream()
        .map(round -> numerator.in(round) / (denominator == null ? 1 : denominator.in(round)))
        .filter(Double::isFinite)
        .toList();
  }

  /**
   * Returns {@code yes} if a median is within the limit, otherwise {@link #MISSED}; empty without a
   * limit.
   */
  String status(double median) {
    if (min == null && max == null) {
      return "";
    }
    boolean isMet = (min == null || median >= min) && (max == null || median <= max);
    return isMet ? "yes" : MISSED;
  }

  /** Whether the goal allows no value above zero. The worst round then counts, not the median. */
  boolean isNone() {
    return max != null && max == 0;
  }

  /**
   * Returns the limit with its unit, such as {@code ≤ 20 ms}; only the unit if there is no limit.
   */
  String limit() {
    if (min == null) {
      return max == null ? unit : "≤ " + Numbers.text(max) + " " + unit;
    }
    return "≥ " + Numbers.text(min) + " " + unit;
  }
}
