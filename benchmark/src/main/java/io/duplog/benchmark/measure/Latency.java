package io.duplog.benchmark.measure;

import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonProperty.Access;
import java.util.List;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.HistogramIterationValue;

/**
 * How long messages took, summed up. JSON has neither the count nor the buckets.
 *
 * @param count of messages
 * @param averageMillis all of these in milliseconds
 * @param buckets how many took how long: one beside the other, ten to each power of ten, from the
 *     first that holds some to the last
 */
public record Latency(
    @JsonProperty(access = Access.WRITE_ONLY) long count,
    @JsonProperty("avg") double averageMillis,
    @JsonProperty("p50") double p50Millis,
    @JsonProperty("p75") double p75Millis,
    @JsonProperty("p95") double p95Millis,
    @JsonProperty("p99") double p99Millis,
    @JsonProperty("max") double maxMillis,
    @JsonProperty(access = Access.WRITE_ONLY) List<Bucket> buckets) {

  /** Those that took so long: from the first time on, and less than the second. */
  public record Bucket(double fromMillis, double toMillis, long count) {}

  public Latency {
    buckets = List.copyOf(buckets);
  }

  /** A value is kept with three digits, from a microsecond up to an hour. */
  private static final int DIGITS = 3;

  private static final double MICROS_A_MILLI = 1000;
  private static final double BUCKETS_A_DECADE = 10;

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
          micros.getMaxValue() / MICROS_A_MILLI,
          buckets());
    }

    private List<Bucket> buckets() {
      TreeMap<Integer, Long> counts = new TreeMap<>();
      for (HistogramIterationValue value : micros.recordedValues()) {
        int bucket =
            (int) Math.floor(BUCKETS_A_DECADE * Math.log10((double) value.getValueIteratedTo()));
        counts.merge(bucket, value.getCountAddedInThisIterationStep(), Long::sum);
      }
      if (counts.isEmpty()) {
        return List.of();
      }
      return IntStream.rangeClosed(counts.firstKey(), counts.lastKey())
          .mapToObj(i -> new Bucket(border(i), border(i + 1), counts.getOrDefault(i, 0L)))
          .toList();
    }

    private static double border(int bucket) {
      return Math.pow(10, bucket / BUCKETS_A_DECADE) / MICROS_A_MILLI;
    }

    private double at(double percentile) {
      return micros.getValueAtPercentile(percentile) / MICROS_A_MILLI;
    }
  }
}
