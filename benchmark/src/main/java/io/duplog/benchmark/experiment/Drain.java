package io.duplog.benchmark.experiment;

import java.time.Duration;

/**
 * Decides when a measurement may stop waiting for messages: when all have arrived, or when none has
 * for a minute.
 */
final class Drain {
  /** Time in nanoseconds to wait after the last message, so that a late duplicate is noticed. */
  private static final long QUIET_NANOS = Duration.ofSeconds(1).toNanos();

  /**
   * Time in nanoseconds without progress after which waiting ends. This time is longer than a
   * lease, and longer than any pause between two attempts.
   */
  private static final long MAX_QUIET_NANOS = Duration.ofMinutes(1).toNanos();

  private long delivered = -1;
  private long queued = -1;
  private long changedNanos;

  /**
   * Returns whether to stop waiting.
   *
   * @param missing number of messages that have not arrived
   * @param deliveredNow number of lines in the merged stream
   * @param queuedNow number of batches in the brokers' queues
   */
  boolean isOver(long missing, long deliveredNow, long queuedNow, long nowNanos) {
    if (deliveredNow != delivered || queuedNow != queued) {
      delivered = deliveredNow;
      queued = queuedNow;
      changedNanos = nowNanos;
    }
    long quietNanos = nowNanos - changedNanos;
    boolean isComplete = missing <= 0 && queued == 0;
    return quietNanos >= (isComplete ? QUIET_NANOS : MAX_QUIET_NANOS);
  }
}
