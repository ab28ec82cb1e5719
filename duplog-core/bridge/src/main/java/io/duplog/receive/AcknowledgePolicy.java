package io.duplog.receive;

import java.time.Duration;

/**
 * Says when settled deliveries, which the bridge needs no longer, are acknowledged to their broker.
 * A later acknowledgement costs nothing but duplicates, and those only if the bridge dies before
 * it.
 *
 * @param count number of settled deliveries without a gap before them at which one frame
 *     acknowledges all of them; if 1, each is acknowledged at once, even behind a gap
 * @param interval longest time until settled deliveries without a gap before them are acknowledged;
 *     those behind a gap that has stood for an interval are acknowledged one by one
 */
public record AcknowledgePolicy(int count, Duration interval) {
  /**
   * A policy that acknowledges each delivery separately, as soon as the bridge needs it no longer.
   */
  public static final AcknowledgePolicy EACH = new AcknowledgePolicy(1, Duration.ZERO);

  /** Returns a policy that acknowledges any number of deliveries with one frame per interval. */
  public static AcknowledgePolicy every(Duration interval) {
    return new AcknowledgePolicy(Integer.MAX_VALUE, interval);
  }

  boolean isEach() {
    return count == 1;
  }
}
