package io.duplog.receive;

import java.time.Duration;

/**
 * When a settled delivery is acknowledged to its broker. An acknowledgement that comes later costs
 * nothing but duplicates, should the bridge die in between.
 */
public sealed interface AcknowledgePolicy {

  /** Each one by itself, at once. */
  record Each() implements AcknowledgePolicy {}

  /**
   * All settled ones without a gap before them, with one frame for every {@code count}, or after
   * the interval, whichever comes first.
   */
  record Count(int count, Duration interval) implements AcknowledgePolicy {}

  /** All settled ones without a gap before them, with one frame an interval. */
  record Interval(Duration interval) implements AcknowledgePolicy {}
}
