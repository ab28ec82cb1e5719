package io.duplog.deliver.hec;

import io.duplog.deliver.hec.RequestBatch.Suspicion;
import io.duplog.deliver.hec.answer.Answer;
import org.jspecify.annotations.Nullable;

/**
 * A request that was sent, with its outcome.
 *
 * @param sent the request's messages
 * @param suspicion why the request was suspected before it was sent; null if it was not
 * @param proven whether the connection's previous request with events did not fail
 * @param acceptedBefore how many requests of all senders had been accepted when this one left
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

  /** Whether the request was rejected with an answer that a busy collector would not give. */
  boolean isRefused() {
    return !isBroken() && answer() instanceof Answer.Misconfigured;
  }

  /** Whether the request took at least a second, so that a few like it would delay others. */
  boolean isLong() {
    return tookNanos() >= LONG_NANOS;
  }
}
