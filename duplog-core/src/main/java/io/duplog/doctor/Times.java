package io.duplog.doctor;

import java.time.Duration;

/** Durations as a reader of findings wants them. */
final class Times {
  private Times() {}

  static String millis(long nanos) {
    return "%.1f ms".formatted(nanos / 1e6);
  }

  static String millis(Duration duration) {
    return millis(duration.toNanos());
  }
}
