package io.duplog.benchmark.measure;

import java.time.Duration;

/**
 * Decides when to stop waiting for the last messages: a second after all have arrived and the
 * queues are empty, or after a minute without any progress.
 */
public final class Drain {
  /** Time in nanoseconds to wait after the last message, so that a late duplicate is noticed. */
  private static final long SETTLED_NANOS = Duration.ofSeconds(1).toNanos();

  /**
   * Time in nanoseconds without progress after which waiting ends; longer than any pause between
   * two attempts in a healthy lab.
   */
  private static final long GIVEN_UP_NANOS = Duration.ofMinutes(1).toNanos();

  private final long expected;
  private long delivered = -1;
  private long queued = -1;
  private long changedNanos;

  /**
   * Starts without any message.
   *
   * @param expected total number of messages to wait for
   */
  public Drain(long expected) {
    this.expected = expected;
  }

  /**
   * Whether to stop waiting.
   *
   * @param deliveredNow number of messages in the merged stream
   * @param queuedNow number of batches in the brokers' queues
   */
  public boolean isOver(long deliveredNow, long queuedNow, long nowNanos) {
    if (deliveredNow != delivered || queuedNow != queued) {
      delivered = deliveredNow;
      queued = queuedNow;
      changedNanos = nowNanos;
    }
    long quietNanos = nowNanos - changedNanos;
    boolean complete = delivered >= expected && queued == 0;
    return quietNanos >= (complete ? SETTLED_NANOS : GIVEN_UP_NANOS);
  }
}
