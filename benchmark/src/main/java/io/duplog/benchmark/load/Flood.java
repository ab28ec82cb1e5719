package io.duplog.benchmark.load;

import com.google.common.math.LongMath;
import java.util.function.LongSupplier;

/**
 * Lets senders send as fast as all streams accept messages, to measure the highest throughput. No
 * stream is more than {@link #MAX_LEAD} messages ahead of the slowest one, because copies of one
 * sender are not further apart in reality.
 *
 * @param delivered supplies the number of messages that have arrived
 * @param maxInFlight maximum number of messages between senders and sink. With such a bound no
 *     queue can grow, so every part can sustain the measured rate.
 * @see "docs/decisions/benchmark.md#benchmark-load"
 */
public record Flood(LongSupplier delivered, long maxInFlight) implements Pace {
  /** Maximum number of messages by which a stream may be ahead of the slowest one. */
  public static final int MAX_LEAD = 16_384;

  @Override
  public long allowed(long sentByAll) {
    return Math.min(
        sentByAll + MAX_LEAD, LongMath.saturatedAdd(delivered.getAsLong(), maxInFlight));
  }
}
