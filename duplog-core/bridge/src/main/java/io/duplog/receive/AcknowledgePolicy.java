package io.duplog.receive;

import java.time.Duration;

/**
 * Determines how many deliveries are acknowledged to RabbitMQ together, and how long they may wait
 * for that. Acknowledging later only risks duplicates, and only if the bridge dies before it
 * acknowledges.
 *
 * @param count number of consecutive settled deliveries at which one frame acknowledges all of
 *     them. If 1, each delivery is acknowledged immediately, even after a gap.
 * @param interval longest time until consecutive settled deliveries are acknowledged. Deliveries
 *     after a gap that has lasted for an interval are acknowledged one by one.
 */
public record AcknowledgePolicy(int count, Duration interval) {
  /** A policy that acknowledges each delivery separately, as soon as it is settled. */
  public static final AcknowledgePolicy EACH = new AcknowledgePolicy(1, Duration.ZERO);

  /** Creates a policy that acknowledges any number of deliveries with one frame per interval. */
  public static AcknowledgePolicy every(Duration interval) {
    return new AcknowledgePolicy(Integer.MAX_VALUE, interval);
  }

  boolean isEach() {
    return count == 1;
  }
}
