package io.duplog.benchmark.measure;

import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonProperty.Access;
import java.util.concurrent.TimeUnit;
import org.HdrHistogram.Histogram;

/**
 * A summary of how long messages took from sender to sink: average, percentiles and maximum. The
 * count is not written to JSON.
 *
 * @param count number of messages
 * @param averageMillis average in milliseconds, like all that follow
 */
public record Latency(
    @JsonProperty(access = Access.WRITE_ONLY) long count,
    @JsonProperty("avg") double averageMillis,
    @JsonProperty("p50") double p50Millis,
    @JsonProperty("p75") double p75Millis,
    @JsonProperty("p95") double p95Millis,
    @JsonProperty("p99") double p99Millis,
    @JsonProperty("max") double maxMillis) {

  /** Number of significant decimal digits with which latencies are recorded. */
  private static final int SIGNIFICANT_DIGITS = 3;

  private static final double MICROS_PER_MILLI = 1000;

  /** Collects latencies between a microsecond and an hour. Not thread-safe. */
  public static final class Recorder {
    private final Histogram micros = new Histogram(TimeUnit.HOURS.toMicros(1), SIGNIFICANT_DIGITS);

    /** Records one latency in nanoseconds, limited to the range from a microsecond to an hour. */
    public void record(long nanos) {
      long value = Math.max(1, TimeUnit.NANOSECONDS.toMicros(nanos));
      micros.recordValue(Math.min(value, micros.getHighestTrackableValue()));
    }

    public Latency latency() {
      return new Latency(
          micros.getTotalCount(),
          micros.getMean() / MICROS_PER_MILLI,
          percentileMillis(50),
          percentileMillis(75),
          percentileMillis(95),
          percentileMillis(99),
          micros.getMaxValue() / MICROS_PER_MILLI);
    }

    private double percentileMillis(double percentile) {
      return micros.getValueAtPercentile(percentile) / MICROS_PER_MILLI;
    }
  }
}
