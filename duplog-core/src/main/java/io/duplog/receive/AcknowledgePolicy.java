package io.duplog.receive;

import java.time.Duration;

/**
 * When settled deliveries are acknowledged to their broker. An acknowledgement that comes later
 * costs nothing but duplicates, should the bridge die in between.
 *
 * @param count all settled ones without a gap before them get one frame as soon as there are so
 *     many; where it is 1, each gets its own at once, behind a gap too
 * @param interval in any case they get one after it; then those behind a gap that stands for an
 *     interval are acknowledged one by one
 */
public record AcknowledgePolicy(int count, Duration interval) {
  /** Each one by itself, at once. */
  public static final AcknowledgePolicy EACH = new AcknowledgePolicy(1, Duration.ZERO);

  /** One frame an interval, however many there are. */
  public static AcknowledgePolicy every(Duration interval) {
    return new AcknowledgePolicy(Integer.MAX_VALUE, interval);
  }

  boolean isEach() {
    return count == 1;
  }
}
