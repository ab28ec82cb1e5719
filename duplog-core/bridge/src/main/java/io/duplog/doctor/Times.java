package io.duplog.doctor;

import java.time.Duration;

/** Formats durations for the doctor's findings, such as {@code 2.5 ms}. */
final class Times {
  private Times() {}

  static String millis(long nanos) {
    return "%.1f ms".formatted(nanos / 1e6);
  }

  static String millis(Duration duration) {
    return millis(duration.toNanos());
  }
}
