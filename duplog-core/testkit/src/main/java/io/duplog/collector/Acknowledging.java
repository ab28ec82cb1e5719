package io.duplog.collector;

import java.time.Duration;

/**
 * The order and the delay in which a simulated indexer acknowledges the requests that it has
 * accepted.
 *
 * @param after the shortest delay of an acknowledgement; for {@link Order#REVERSED} the longest
 */
public record Acknowledging(Order order, Duration after) {

  /** The order in which an indexer acknowledges requests. */
  public enum Order {
    /** Acknowledges the oldest request first, and each request after the delay. */
    AS_TAKEN,
    /** Acknowledges the latest of the queried requests at once, and the others after the delay. */
    REVERSED,
    NEVER
  }

  public static final Acknowledging AT_ONCE = new Acknowledging(Order.AS_TAKEN, Duration.ZERO);
}
