package io.duplog.deliver.hec;

import io.duplog.deliver.hec.RequestBatch.Suspicion;
import org.jspecify.annotations.Nullable;

/**
 * A request that was sent.
 *
 * @param sent its messages
 * @param suspicion what was held against it; null for nothing
 * @param tookNanos until the answer was complete
 * @param broken whether there was no answer at all
 * @param proven whether the same connection has accepted the request before
 * @param acceptedBefore how many requests of all senders had been accepted when it left
 */
record Attempt(
    RequestBatch sent,
    @Nullable Suspicion suspicion,
    Answer answer,
    long tookNanos,
    boolean broken,
    boolean proven,
    long acceptedBefore) {
  private static final long LONG_NANOS = 1_000_000_000L;

  /** Turned away by an answer that no busy collector gives. */
  boolean isRefused() {
    return !broken && answer instanceof Answer.Misconfigured;
  }

  /** Whether it took so long that a few like it hold up others. */
  boolean isLong() {
    return tookNanos >= LONG_NANOS;
  }
}
