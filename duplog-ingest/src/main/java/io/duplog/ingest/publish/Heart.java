package io.duplog.ingest.publish;

import io.duplog.wire.Heartbeat;
import java.time.Duration;
import java.util.UUID;
import java.util.function.LongSupplier;

/**
 * Says when the next heartbeat is due, and what it says. One that could not be sent in time is left
 * out, never made up for. Not thread-safe; {@link BatchPublisher}'s lock guards it.
 */
final class Heart {
  private final String stream;
  private final String process = UUID.randomUUID().toString();
  private final long intervalNanos;
  private final LongSupplier nanoClock;
  private final LongSupplier millisClock;
  private long dueNanos;

  /**
   * @param interval zero: never
   * @param millisClock since the epoch
   */
  Heart(String stream, Duration interval, LongSupplier nanoClock, LongSupplier millisClock) {
    this.stream = stream;
    this.intervalNanos = interval.toNanos();
    this.nanoClock = nanoClock;
    this.millisClock = millisClock;
    this.dueNanos = nanoClock.getAsLong();
  }

  /** Whether there are heartbeats at all. */
  boolean isWanted() {
    return intervalNanos != 0;
  }

  /** Nanoseconds until the next one is due: not positive where it is, else at most an interval. */
  long restNanos() {
    return isWanted() ? dueNanos - nanoClock.getAsLong() : Long.MAX_VALUE;
  }

  /**
   * The one that is due; the next one is due an interval from now. Not where there are none.
   *
   * @param ending whether it is the last one
   */
  Heartbeat beat(long confirmed, long stalledNanos, int queues, boolean ending) {
    dueNanos = nanoClock.getAsLong() + intervalNanos;
    return new Heartbeat(
        stream,
        process,
        millisClock.getAsLong(),
        Duration.ofNanos(intervalNanos).toMillis(),
        confirmed,
        Duration.ofNanos(stalledNanos).toMillis(),
        queues,
        ending);
  }
}
