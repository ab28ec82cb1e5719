package io.duplog.benchmark.measure;

import java.time.Duration;

/**
 * Decides when to stop waiting for the rest of the messages: when all are there, the queues are
 * empty and nothing more comes, or when nothing has come for so long that nothing will.
 */
public final class Drain {
  /** Long enough for a duplicate to show that follows the last message. */
  private static final long SETTLED_NANOS = Duration.ofSeconds(1).toNanos();

  /** Longer than any pause between two attempts of shim, bridge or rsyslog in a healthy lab. */
  private static final long GIVEN_UP_NANOS = Duration.ofSeconds(15).toNanos();

  private final long expected;
  private long delivered = -1;
  private long queued = -1;
  private long changedNanos;

  /**
   * @param expected how many messages are to come in all
   */
  public Drain(long expected) {
    this.expected = expected;
  }

  /**
   * Whether to stop waiting.
   *
   * @param deliveredNow messages in the merged stream
   * @param queuedNow batches in the brokers' queues
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
