package io.duplog.deliver.hec;

import io.duplog.deliver.hec.RequestBatch.Suspicion;
import io.duplog.deliver.hec.answer.Answer;
import org.jspecify.annotations.Nullable;

/**
 * A request with events that was sent, with its outcome.
 *
 * @param sent the request's messages
 * @param isBroken whether there was no answer
 * @param maybeIndexed whether Splunk may have some of the events although it did not accept the
 *     request
 * @param isCounted whether the indexers may have given the request an acknowledgement id
 * @param tookNanos how long it took until the answer was complete
 * @param previousPassed whether the connection's previous request with events did not fail
 * @param acceptancesBefore how many requests of all senders had been accepted when this one left
 */
record Attempt(
    RequestBatch sent,
    Answer answer,
    boolean isBroken,
    boolean maybeIndexed,
    boolean isCounted,
    long tookNanos,
    boolean previousPassed,
    long acceptancesBefore) {
  private static final long LONG_NANOS = 1_000_000_000L;

  /** Returns the attempt at a request that could not be sent because of a defect in Duplog. */
  static Attempt unsent(
      RequestBatch batch, Answer defect, boolean previousPassed, long acceptancesBefore) {
    return new Attempt(batch, defect, true, false, true, 0, previousPassed, acceptancesBefore);
  }

  /** Returns why the request was suspected before it was sent; null if it was not. */
  @Nullable Suspicion suspicion() {
    return sent.suspicion();
  }

  /** Whether the request was rejected with an answer that a busy collector would not give. */
  boolean isRefused() {
    return !isBroken && answer instanceof Answer.Misconfigured;
  }

  /** Whether the request took at least a second, so that a few like it would delay others. */
  boolean isLong() {
    return tookNanos >= LONG_NANOS;
  }
}
