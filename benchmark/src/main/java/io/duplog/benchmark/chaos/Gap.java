package io.duplog.benchmark.chaos;

/** The longest time without any delivery, from the first one on. One thread only. */
final class Gap {
  private boolean begun;
  private long lastNanos;
  private long longestNanos;

  /**
   * Someone has looked into the sink.
   *
   * @param arrived whether something was new
   */
  void look(boolean arrived, long nowNanos) {
    if (begun) {
      longestNanos = Math.max(longestNanos, nowNanos - lastNanos);
    }
    if (arrived) {
      begun = true;
      lastNanos = nowNanos;
    }
  }

  long longestNanos() {
    return longestNanos;
  }
}
