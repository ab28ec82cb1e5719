package io.duplog.ingest.publish;

import io.duplog.wire.Heartbeat;
import java.time.Duration;
import java.util.UUID;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/**
 * Makes heartbeats, and says when the next is due. A heartbeat that could not be sent in time is
 * left out and never sent late. Not thread-safe; {@link BatchPublisher}'s lock guards it.
 */
final class HeartbeatSchedule {
  private final String stream;
  private final String process = UUID.randomUUID().toString();
  private final long intervalNanos;
  private final Supplier<Heartbeat.Losses> losses;
  private final Supplier<Heartbeat.Rsyslog> rsyslog;
  private final LongSupplier nanoClock;
  private final LongSupplier millisClock;
  private long dueNanos;

  /**
   * Starts with a heartbeat that is due at once.
   *
   * @param interval between heartbeats; zero for none at all
   * @param losses what the node has lost so far; asked for each heartbeat
   * @param rsyslog when rsyslog was last heard; asked for each heartbeat
   * @param millisClock milliseconds since the epoch
   */
  HeartbeatSchedule(
      String stream,
      Duration interval,
      Supplier<Heartbeat.Losses> losses,
      Supplier<Heartbeat.Rsyslog> rsyslog,
      LongSupplier nanoClock,
      LongSupplier millisClock) {
    this.stream = stream;
    this.intervalNanos = interval.toNanos();
    this.losses = losses;
    this.rsyslog = rsyslog;
    this.nanoClock = nanoClock;
    this.millisClock = millisClock;
    this.dueNanos = nanoClock.getAsLong();
  }

  /** Whether heartbeats are configured. */
  boolean isWanted() {
    return intervalNanos != 0;
  }

  /** Returns the time in nanoseconds until the next heartbeat; zero or less if it is due. */
  long restNanos() {
    return isWanted() ? dueNanos - nanoClock.getAsLong() : Long.MAX_VALUE;
  }

  /**
   * Returns the heartbeat that is due; the next one is due an interval from now. Must not be called
   * if there are no heartbeats.
   *
   * @param ending whether it is the last heartbeat
   */
  Heartbeat beat(long confirmed, long stalledNanos, int queues, boolean ending) {
    dueNanos = nanoClock.getAsLong() + intervalNanos;
    return new Heartbeat(
        stream,
        process,
        millisClock.getAsLong(),
        Duration.ofNanos(intervalNanos).toMillis(),
        new Heartbeat.Report(
            confirmed,
            Duration.ofNanos(stalledNanos).toMillis(),
            queues,
            losses.get(),
            rsyslog.get()),
        ending);
  }
}
