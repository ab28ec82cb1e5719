package io.duplog.ingest.publish;

import io.duplog.wire.Heartbeat;
import java.time.Duration;
import java.util.UUID;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/**
 * Creates the shim's heartbeats, and says when the next one is due. Skips a heartbeat that could
 * not be sent in time. Not thread-safe; {@link BatchPublisher}'s lock guards it.
 */
final class HeartbeatSchedule {
  private final String stream;
  private final String processId = UUID.randomUUID().toString();
  private final long intervalNanos;
  private final Supplier<Heartbeat.Losses> losses;
  private final Supplier<Heartbeat.Rsyslog> rsyslog;
  private final LongSupplier nanoClock;
  private final LongSupplier millisClock;
  private long dueNanos;

  /**
   * Creates a schedule whose first heartbeat is due immediately.
   *
   * @param interval time between heartbeats; zero turns heartbeats off
   * @param losses supplies the node's losses so far for each heartbeat
   * @param rsyslog supplies the last contact with rsyslog for each heartbeat
   * @param millisClock clock in milliseconds since the Unix epoch
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

  /** Whether heartbeats are turned on. */
  boolean isOn() {
    return intervalNanos != 0;
  }

  /** Returns the time in nanoseconds until the next heartbeat, or zero or less if it is due. */
  long nanosToNext() {
    return isOn() ? dueNanos - nanoClock.getAsLong() : Long.MAX_VALUE;
  }

  /**
   * Returns a heartbeat and schedules the next one after an interval. Must not be called if
   * heartbeats are turned off.
   *
   * @param isLast whether this is the last heartbeat
   */
  Heartbeat next(long confirmedMessages, long stalledNanos, int queues, boolean isLast) {
    dueNanos = nanoClock.getAsLong() + intervalNanos;
    return new Heartbeat(
        stream,
        processId,
        millisClock.getAsLong(),
        Duration.ofNanos(intervalNanos).toMillis(),
        new Heartbeat.Report(
            confirmedMessages,
            Duration.ofNanos(stalledNanos).toMillis(),
            queues,
            losses.get(),
            rsyslog.get()),
        isLast);
  }
}
