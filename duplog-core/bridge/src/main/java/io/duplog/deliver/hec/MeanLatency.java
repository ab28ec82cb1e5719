package io.duplog.deliver.hec;

import java.util.concurrent.TimeUnit;

/**
 * The moving average of the time that a URL takes for a request with events. Written under its
 * endpoint's lock; may be read from any thread.
 */
final class MeanLatency {
  /** Ratio of two URLs' mean times above which the slower URL is too slow. */
  static final int TIMES_SLOWER = 10;

  private static final long NEVER_TOO_SLOW_NANOS = TimeUnit.SECONDS.toNanos(1);
  private static final double WEIGHT_OF_NEWEST = 0.2;

  /** Mean time of a request in nanoseconds; 0 if no time was measured yet. */
  private volatile long meanNanos;

  void forget() {
    meanNanos = 0;
  }

  /** Adds a request's time in nanoseconds; the first one after {@link #forget} is the new mean. */
  void add(long tookNanos) {
    long mean = meanNanos;
    double next = mean == 0 ? tookNanos : mean + WEIGHT_OF_NEWEST * (tookNanos - mean);
    meanNanos = Math.max(1, (long) next);
  }

  boolean isTooSlowBeside(MeanLatency other) {
    long mean = meanNanos;
    long others = other.meanNanos;
    return mean > NEVER_TOO_SLOW_NANOS && others > 0 && mean / TIMES_SLOWER > others;
  }
}
