package io.duplog.benchmark.hec;

import java.time.Duration;

/**
 * How an indexer acknowledges what it took.
 *
 * @param after how long after it was taken, at least; for {@link Order#REVERSED} at most
 */
public record Acknowledging(Order order, Duration after) {

  /** In which order. */
  public enum Order {
    /** The next question is answered with yes. */
    AS_TAKEN,
    /** What was taken last comes first, one of those that were asked for at a time. */
    REVERSED,
    /** Never. */
    NEVER
  }

  public static final Acknowledging AT_ONCE = new Acknowledging(Order.AS_TAKEN, Duration.ZERO);
}
