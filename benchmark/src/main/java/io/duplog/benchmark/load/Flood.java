package io.duplog.benchmark.load;

import com.google.common.math.LongMath;
import java.util.function.LongSupplier;

/**
 * A pace as fast as all streams accept messages. No stream is more than {@link #LEAD} messages
 * ahead of the slowest one, because copies of one sender are not further apart, either.
 *
 * @param delivered supplies the number of messages that have arrived
 * @param underWay most messages allowed between senders and sink. With such a bound, the measured
 *     rate is one that every part sustains, because no queue can grow.
 * @see "docs/decisions/benchmark.md#benchmark-load"
 */
public record Flood(LongSupplier delivered, long underWay) implements Pace {
  /** Largest number of messages by which a stream may be ahead of the slowest one. */
  public static final int LEAD = 16_384;

  @Override
  public long allowed(long sentByAll) {
    return Math.min(sentByAll + LEAD, LongMath.saturatedAdd(delivered.getAsLong(), underWay));
  }
}
