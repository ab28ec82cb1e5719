package io.duplog.benchmark.report;

import io.duplog.benchmark.measure.Latency;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.function.ToDoubleFunction;
import org.jspecify.annotations.Nullable;

/**
 * A figure or a ratio that is to be reached.
 *
 * @param what is measured, in a few words
 * @param least the limit where it is the least that is good; else null
 * @param most the limit where it is the most that is good; null in both: it is only shown
 * @param of the figure
 * @param by what it is divided by, of the same round; null for 1
 * @param note where the goal is not met: what limits it, and what was tried; null for nothing
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
   * @param run its name
   * @param name {@code rate}, {@code cpu} (all but the generator), {@code compiled} (the same
   *     without Java's compilers), {@code avg} and {@code p99} of the latency, or one of the run's
   *     own figures
   */
  record Figure(String run, String name) {
    /** Not a number where it was not measured, or the run was spoilt or lost something. */
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
        case "avg" -> millis(measured, Latency::averageMillis);
        case "p99" -> millis(measured, Latency::p99Millis);
        default -> measured.figures().getOrDefault(name, Double.NaN);
      };
    }

    private static double millis(Run run, ToDoubleFunction<Latency> of) {
      Latency latency = run.latency();
      return latency == null ? Double.NaN : of.applyAsDouble(latency);
    }
  }

  /** One figure a round, of those that have it. */
  List<Double> reached(Collection<Map<String, Run>> rounds) {
    return rounds.stream()
        .map(round -> of.in(round) / (by == null ? 1 : by.in(round)))
        .filter(Double::isFinite)
        .toList();
  }

  /** A verdict on the median: {@code yes}, {@link #MISSED}, or nothing where it is only shown. */
  String met(double median) {
    if (least == null && most == null) {
      return "";
    }
    boolean met = (least == null || median >= least) && (most == null || median <= most);
    return met ? "yes" : MISSED;
  }

  /** Whether nothing at all is what is good, in any round. */
  boolean isNone() {
    return most != null && most == 0;
  }

  /** Such as {@code ≤ 20 ms}. */
  String limit() {
    if (least == null) {
      return most == null ? unit : "≤ " + Numbers.text(most) + " " + unit;
    }
    return "≥ " + Numbers.text(least) + " " + unit;
  }
}
