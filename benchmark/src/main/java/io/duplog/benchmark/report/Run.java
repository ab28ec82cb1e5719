package io.duplog.benchmark.report;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonInclude.Include;
import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonUnwrapped;
import io.duplog.benchmark.measure.Latency;
import io.duplog.benchmark.measure.Reconciliation;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * One measurement of a scenario.
 *
 * @param variant what is different from the scenario's other runs, such as {@code pair, confirmed}
 * @param counts what became of every message, those outside the window too
 * @param rate different messages a second at the sink, within the window that was measured
 * @param latency from the time at which a message was to leave until it was in the sink; null where
 *     the load is as fast as it is taken, so that the wait is the load's own. Where clients wait
 *     for a confirmation, it is that wait, and the facts have the other
 * @param cpuMicros by process: CPU time a different message
 * @param residentBytes by process: the memory that it had in the end
 * @param figures what else the scenario measures, by a name that says the unit
 * @param facts settings of the run, and what else a reader should know, in their order
 */
public record Run(
    @JsonProperty(required = true) String variant,
    @JsonUnwrapped Reconciliation counts,
    @JsonProperty(required = true) double rate,
    @JsonProperty("latency_ms") @JsonInclude(Include.NON_NULL) @Nullable Latency latency,
    @JsonProperty("cpu_us_per_message") Map<String, Double> cpuMicros,
    Map<String, Long> residentBytes,
    @JsonInclude(Include.NON_EMPTY) Map<String, Double> figures,
    @JsonProperty("configuration") Map<String, String> facts) {
  /** The CPU time of all processes of Duplog's side a message: without that of the load. */
  public double cpuMicrosWithoutGenerator() {
    return cpuMicros.entrySet().stream()
        .filter(entry -> !entry.getKey().equals("generator"))
        .mapToDouble(Map.Entry::getValue)
        .sum();
  }

  /** The same with another latency. */
  public Run withLatency(Latency other) {
    return new Run(variant, counts, rate, other, cpuMicros, residentBytes, figures, facts);
  }

  /** The same with more facts behind those that it has. */
  public Run withFacts(Map<String, String> more) {
    Map<String, String> all = new LinkedHashMap<>(facts);
    all.putAll(more);
    return new Run(variant, counts, rate, latency, cpuMicros, residentBytes, figures, all);
  }

  /** The same with more figures behind those that it has. */
  public Run withFigures(Map<String, Double> more) {
    Map<String, Double> all = new LinkedHashMap<>(figures);
    all.putAll(more);
    return new Run(variant, counts, rate, latency, cpuMicros, residentBytes, all, facts);
  }

  /** The same under another name. */
  public Run withVariant(String other) {
    return new Run(other, counts, rate, latency, cpuMicros, residentBytes, figures, facts);
  }

  /** The figure that is a part of the CPU time: what Java's compilers took. */
  public static final String COMPILERS = "compilers, µs a message";

  /** The figure that is above zero where the host spoilt the run. */
  public static final String SPOILT = "spoilt";

  /** Whether it says something: nothing was lost or altered, and the host did not spoil it. */
  boolean saysSomething() {
    return isWhole() && figures.getOrDefault(SPOILT, 0.0) == 0;
  }

  /** Whether nothing was lost or altered. */
  public boolean isWhole() {
    return counts.lost() == 0 && counts.corrupted() == 0;
  }

  /** Such as {@code 1.50 ms on average, p99 4.50 ms}. */
  public static String words(Latency latency) {
    return "%s ms on average, p99 %s ms"
        .formatted(Numbers.text(latency.averageMillis()), Numbers.text(latency.p99Millis()));
  }

  /** For a terminal. */
  public String summary() {
    return "%s: %s messages/s, sent=%d delivered=%d lost=%d duplicated=%d corrupted=%d%s, %s µs CPU a message"
        .formatted(
            variant,
            Numbers.text(rate),
            counts.sent(),
            counts.delivered(),
            counts.lost(),
            counts.duplicated(),
            counts.corrupted(),
            latency == null ? "" : ", " + words(latency),
            Numbers.text(cpuMicrosWithoutGenerator()));
  }
}
