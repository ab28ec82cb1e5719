package io.duplog.benchmark.chaos;

/** The longest time without any delivery, from the first one on. One thread only. */
final class Gap {
  private final long resolutionNanos;
  private boolean begun;
  private long lastNanos;
  private long lookedNanos;
  private long longestNanos;
  private long longestPauseNanos;

  /**
   * @param resolutionNanos how often {@link #look} is meant to be called
   */
  Gap(long resolutionNanos) {
    this.resolutionNanos = resolutionNanos;
  }

  /**
   * Someone has looked into the sink.
   *
   * @param arrived whether something was new
   */
  void look(boolean arrived, long nowNanos) {
    if (begun) {
      longestNanos = Math.max(longestNanos, nowNanos - lastNanos);
      longestPauseNanos = Math.max(longestPauseNanos, nowNanos - lookedNanos - resolutionNanos);
    }
    lookedNanos = nowNanos;
    if (arrived) {
      begun = true;
      lastNanos = nowNanos;
    }
  }

  long longestNanos() {
    return longestNanos;
  }

  /** The longest that nobody looked, over the resolution. */
  long longestPauseNanos() {
    return longestPauseNanos;
  }
}
