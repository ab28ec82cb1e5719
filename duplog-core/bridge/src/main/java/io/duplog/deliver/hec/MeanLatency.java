package io.duplog.deliver.hec;

import java.util.concurrent.TimeUnit;

/**
 * Measures the average time that a collector's URL takes to answer, so that much slower URLs are
 * left out. Thread-safe for reading; writes are guarded by the endpoint's lock.
 */
final class MeanLatency {
  /** Maximum ratio of two URLs' mean latencies; above it, the slower URL is too slow. */
  static final int MAX_RATIO = 10;

  private static final long MIN_SLOW_NANOS = TimeUnit.SECONDS.toNanos(1);
  private static final double WEIGHT_OF_NEWEST = 0.2;

  /** Mean latency in nanoseconds, or 0 if none was measured yet. */
  private volatile long meanNanos;

  void reset() {
    meanNanos = 0;
  }

  /** Adds a request's latency; the first one after {@link #reset} is the new mean. */
  void add(long latencyNanos) {
    long mean = meanNanos;
    double next = mean == 0 ? latencyNanos : mean + WEIGHT_OF_NEWEST * (latencyNanos - mean);
    meanNanos = Math.max(1, (long) next);
  }

  boolean isTooSlowBeside(MeanLatency other) {
    long mean = meanNanos;
    long otherMean = other.meanNanos;
    return mean > MIN_SLOW_NANOS && otherMean > 0 && mean / MAX_RATIO > otherMean;
  }
}
