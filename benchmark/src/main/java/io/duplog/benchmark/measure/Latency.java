package io.duplog.benchmark.measure;

import java.util.concurrent.TimeUnit;
import org.HdrHistogram.Histogram;

/**
 * How long messages took, summed up.
 *
 * @param count of messages
 * @param averageMillis all of these in milliseconds
 */
public record Latency(
    long count,
    double averageMillis,
    double p50Millis,
    double p75Millis,
    double p95Millis,
    double p99Millis,
    double maxMillis) {

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
