package io.duplog.deliver.hec;

import io.duplog.deliver.hec.RequestBatch.Suspicion;
import io.duplog.deliver.hec.answer.Answer;
import org.jspecify.annotations.Nullable;

/**
 * A request that was sent.
 *
 * @param sent its messages
 * @param suspicion what was held against it; null for nothing
 * @param proven whether the same connection has accepted the request before
 * @param acceptedBefore how many requests of all senders had been accepted when it left
 */
record Attempt(
    RequestBatch sent,
    @Nullable Suspicion suspicion,
    RequestOutcome outcome,
    boolean proven,
    long acceptedBefore) {
  private static final long LONG_NANOS = 1_000_000_000L;

  Answer answer() {
    return outcome.answer();
  }

  boolean isBroken() {
    return outcome.isBroken();
  }

  long tookNanos() {
    return outcome.tookNanos();
  }

  /** Whether it was turned away by an answer that no busy collector gives. */
  boolean isRefused() {
    return !isBroken() && answer() instanceof Answer.Misconfigured;
  }

  /** Whether it took so long that a few like it hold up others. */
  boolean isLong() {
    return tookNanos() >= LONG_NANOS;
  }
}
