package io.duplog.benchmark.measure;

import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonProperty.Access;
import java.util.concurrent.TimeUnit;
import org.HdrHistogram.Histogram;

/**
 * How long messages took, summed up. JSON has no count.
 *
 * @param count of messages
 * @param averageMillis all of these in milliseconds
 */
public record Latency(
    @JsonProperty(access = Access.WRITE_ONLY) long count,
    @JsonProperty("avg") double averageMillis,
    @JsonProperty("p50") double p50Millis,
    @JsonProperty("p75") double p75Millis,
    @JsonProperty("p95") double p95Millis,
    @JsonProperty("p99") double p99Millis,
    @JsonProperty("max") double maxMillis) {

  /** A value is kept with three digits, from a microsecond up to an hour. */
  private static final int DIGITS = 3;

  private static final double MICROS_A_MILLI = 1000;

  /** Gathers what is then summed up. One thread only. */
  public static final class Recorder {
    private final Histogram micros = new Histogram(TimeUnit.HOURS.toMicros(1), DIGITS);

    /** A time below a microsecond counts as one. */
    public void record(long nanos) {
      long value = Math.max(1, TimeUnit.NANOSECONDS.toMicros(nanos));
      micros.recordValue(Math.min(value, micros.getHighestTrackableValue()));
    }

    public Latency latency() {
      return new Latency(
          micros.getTotalCount(),
          micros.getMean() / MICROS_A_MILLI,
          at(50),
          at(75),
          at(95),
          at(99),
          micros.getMaxValue() / MICROS_A_MILLI);
    }

    private double at(double percentile) {
      return micros.getValueAtPercentile(percentile) / MICROS_A_MILLI;
    }
  }
}
