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
 * @param variant what distinguishes the run from the scenario's other runs, such as {@code pair,
 *     confirmed}
 * @param counts what became of every message, including messages outside the measured window
 * @param rate different messages a second at the sink, within the measured window
 * @param latency time from when a message was due to leave until it was in the sink; null if the
 *     load is sent as fast as it is taken, because then the load itself causes the wait. If clients
 *     wait for confirmations, the latency of these, while the facts have the other one
 * @param cpuMicros microseconds of CPU time for each different message, by process
 * @param residentBytes resident memory at the end, by process
 * @param figures other figures of the scenario, by a name that states the unit
 * @param facts settings of the run, and remarks for a reader, in the order of the page
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
  /**
   * Returns the microseconds of CPU time for each message, of all processes but the load generator.
   */
  public double cpuMicrosWithoutGenerator() {
    return cpuMicros.entrySet().stream()
        .filter(entry -> !entry.getKey().equals("generator"))
        .mapToDouble(Map.Entry::getValue)
        .sum();
  }

  /** Returns a copy of this run with another latency. */
  public Run withLatency(Latency other) {
    return new Run(variant, counts, rate, other, cpuMicros, residentBytes, figures, facts);
  }

  /** Returns a copy of this run with more facts, which follow the existing ones. */
  public Run withFacts(Map<String, String> more) {
    Map<String, String> all = new LinkedHashMap<>(facts);
    all.putAll(more);
    return new Run(variant, counts, rate, latency, cpuMicros, residentBytes, figures, all);
  }

  /** Returns a copy of this run with more figures, which follow the existing ones. */
  public Run withFigures(Map<String, Double> more) {
    Map<String, Double> all = new LinkedHashMap<>(figures);
    all.putAll(more);
    return new Run(variant, counts, rate, latency, cpuMicros, residentBytes, all, facts);
  }

  /** Returns a copy of this run with another name. */
  public Run withVariant(String other) {
    return new Run(other, counts, rate, latency, cpuMicros, residentBytes, figures, facts);
  }

  /** Name of the figure for the CPU time of Java's compilers, in microseconds a message. */
  public static final String COMPILERS = "compilers, µs a message";

  /** Name of the figure that is above zero if other work on the host made the run unusable. */
  public static final String SPOILT = "spoilt";

  /** Whether the run is usable: no message was lost or altered, and the host did not disturb it. */
  boolean saysSomething() {
    return isWhole() && figures.getOrDefault(SPOILT, 0.0) == 0;
  }

  /** Whether no message was lost or altered. */
  public boolean isWhole() {
    return counts.lost() == 0 && counts.corrupted() == 0;
  }

  /** Formats a latency, such as {@code 1.50 ms on average, p99 4.50 ms}. */
  public static String words(Latency latency) {
    return "%s ms on average, p99 %s ms"
        .formatted(Numbers.text(latency.averageMillis()), Numbers.text(latency.p99Millis()));
  }

  /** Formats the results as one line for a terminal. */
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
