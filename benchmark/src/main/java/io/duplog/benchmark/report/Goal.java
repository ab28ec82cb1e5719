package io.duplog.benchmark.report;

import io.duplog.benchmark.measure.Latency;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.function.ToDoubleFunction;
import org.jspecify.annotations.Nullable;

/**
 * Goal for a figure, or for a ratio of two figures.
 *
 * @param what what is measured, in a few words
 * @param least smallest value that meets the goal; null if there is none
 * @param most largest value that meets the goal; null if there is none. With neither limit the
 *     figure is only shown
 * @param of the figure, or the ratio's numerator
 * @param by the ratio's denominator, from the same round; null for a plain figure
 * @param note for a goal that is not met: what limits it, and what was tried; null if there is
 *     nothing to say
 */
record Goal(
    String what,
    @Nullable Double least,
    @Nullable Double most,
    String unit,
    Figure of,
    @Nullable Figure by,
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
    /**
     * Returns the figure in a round; NaN if it was not measured, or if the run was spoilt or lost
     * something.
     */
    double in(Map<String, Run> round) {
      Run measured = round.get(run);
      if (measured == null || !measured.saysSomething()) {
        return Double.NaN;
      }
      return switch (name) {
        case "rate" -> measured.rate();
        case "cpu" -> measured.cpuMicrosWithoutGenerator();
        case "compiled" ->
            measured.cpuMicrosWithoutGenerator()
                - measured.figures().getOrDefault(Run.COMPILERS, Double.NaN);
        case "ours" -> cpu(measured, "shim") + cpu(measured, "bridge");
        case "avg" -> millis(measured, Latency::averageMillis);
        case "p99" -> millis(measured, Latency::p99Millis);
        default -> measured.figures().getOrDefault(name, Double.NaN);
      };
    }

    private static double cpu(Run run, String process) {
      return run.cpuMicros().getOrDefault(process, Double.NaN);
    }

    private static double millis(Run run, ToDoubleFunction<Latency> of) {
      Latency latency = run.latency();
      return latency == null ? Double.NaN : of.applyAsDouble(latency);
    }
  }

  /** Returns the value of this goal's figure or ratio in each round in which it was measured. */
  List<Double> reached(Collection<Map<String, Run>> rounds) {
    return rounds.stream()
        .map(round -> of.in(round) / (by == null ? 1 : by.in(round)))
        .filter(Double::isFinite)
        .toList();
  }

  /**
   * Returns {@code yes} if a median is within the limit, else {@link #MISSED}; empty without a
   * limit.
   */
  String met(double median) {
    if (least == null && most == null) {
      return "";
    }
    boolean met = (least == null || median >= least) && (most == null || median <= most);
    return met ? "yes" : MISSED;
  }

  /** Whether the goal allows no value above zero; the worst round then counts, not the median. */
  boolean isNone() {
    return most != null && most == 0;
  }

  /**
   * Returns the limit with its unit, such as {@code ≤ 20 ms}; only the unit if there is no limit.
   */
  String limit() {
    if (least == null) {
      return most == null ? unit : "≤ " + Numbers.text(most) + " " + unit;
    }
    return "≥ " + Numbers.text(least) + " " + unit;
  }
}
