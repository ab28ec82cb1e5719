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
   * the interval, whichever comes first. Those behind a gap that stands for an interval one by one.
   */
  record Count(int count, Duration interval) implements AcknowledgePolicy {}

  /**
   * All settled ones without a gap before them, with one frame an interval. Those behind a gap that
   * stands for an interval one by one.
   */
  record Interval(Duration interval) implements AcknowledgePolicy {}
}
