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
 * The measured figures of one run of a benchmark scenario, such as rate, latency and lost messages.
 *
 * @param variant distinguishes the run from the scenario's other runs, such as {@code pair,
 *     confirmed}
 * @param counts fate of every message, including messages outside the measured window
 * @param rate distinct messages per second at the sink, within the measured window
 * @param latency time from when a message was due until it was in the sink. Null if the load is
 *     sent as fast as it is accepted, because then the load itself causes the wait. If clients wait
 *     for confirmations, it is the latency of the confirmations, and the facts contain the latency
 *     of the delivery.
 * @param cpuMicros microseconds of CPU time for each distinct message, by process
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
  public Run withLatency(Latency newLatency) {
    return new Run(variant, counts, rate, newLatency, cpuMicros, residentBytes, figures, facts);
  }

  /** Returns a copy of this run with more facts, which follow the existing ones. */
  public Run withFacts(Map<String, String> additions) {
    Map<String, String> newEntries = new LinkedHashMap<>(facts);
    newEntries.putAll(additions);
    return new Run(variant, counts, rate, latency, cpuMicros, residentBytes, figures, newEntries);
  }

  /** Returns a copy of this run with more figures, which follow the existing ones. */
  public Run withFigures(Map<String, Double> additions) {
    Map<String, Double> newEntries = new LinkedHashMap<>(figures);
    newEntries.putAll(additions);
    return new Run(variant, counts, rate, latency, cpuMicros, residentBytes, newEntries, facts);
  }

  /** Returns a copy of this run with another name. */
  public Run withVariant(String newVariant) {
    return new Run(newVariant, counts, rate, latency, cpuMicros, residentBytes, figures, facts);
  }

  /** Name of the figure for the CPU time of Java's compilers, in microseconds per message. */
  public static final String COMPILERS = "compilers, µs a message";

  /** Name of the figure that is above zero if other work on the host made the run unusable. */
  public static final String SPOILT = "spoilt";

  /** Whether the run is usable: no message was lost or altered, and the host did not disturb it. */
  boolean isUsable() {
    return isWhole() && figures.getOrDefault(SPOILT, 0.0) == 0;
  }

  /** Whether no message was lost or altered. */
  public boolean isWhole() {
    return counts.lost() == 0 && counts.corrupted() == 0;
  }

  /** Formats a latency, such as {@code 1.50 ms on average, p99 4.50 ms}. */
  public static String format(Latency latency) {
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
            latency == null ? "" : ", " + format(latency),
            Numbers.text(cpuMicrosWithoutGenerator()));
  }
}
