package io.duplog.benchmark.hec;

import java.time.Duration;

/**
 * Order and delay in which an indexer acknowledges the requests that it has accepted.
 *
 * @param after the shortest delay of an acknowledgement; for {@link Order#REVERSED} the longest
 */
public record Acknowledging(Order order, Duration after) {

  /** The order in which requests are acknowledged. */
  public enum Order {
    /** Oldest first, each after the delay. */
    AS_TAKEN,
    /** Latest first: each question acknowledges the latest of the ids asked for, at once. */
    REVERSED,
    NEVER
  }

  public static final Acknowledging AT_ONCE = new Acknowledging(Order.AS_TAKEN, Duration.ZERO);
}
