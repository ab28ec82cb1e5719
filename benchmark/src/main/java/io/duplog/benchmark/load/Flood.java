package io.duplog.benchmark.load;

import java.util.function.LongSupplier;

/**
 * As fast as all streams take the messages. A stream is ahead of the slowest by {@link #LEAD}
 * messages at most, as the two copies of one sender are.
 *
 * @param delivered how many messages have arrived
 * @param underWay how many may be between the senders and the sink, at most: with it a rate is one
 *     that everything sustains, and no queue grows meanwhile
 */
public record Flood(LongSupplier delivered, long underWay) implements Pace {
  /** In messages. */
  public static final int LEAD = 16_384;

  @Override
  public long allowed(long sentByAll) {
    long arrived = delivered.getAsLong();
    boolean unbounded = underWay > Long.MAX_VALUE - arrived;
    return Math.min(sentByAll + LEAD, unbounded ? Long.MAX_VALUE : arrived + underWay);
  }
}
