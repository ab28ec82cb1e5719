package io.duplog.deliver.hec;

import io.duplog.deliver.hec.RequestBatch.Suspicion;
import io.duplog.deliver.hec.answer.Answer;
import org.jspecify.annotations.Nullable;

/**
 * The outcome of one HEC request that the sink sent, with the messages that were in it.
 *
 * @param sent the request's messages
 * @param isUnanswered whether there was no answer
 * @param maybeIndexed whether Splunk may have some of the events although it did not accept the
 *     request
 * @param mayHaveAckId whether the indexers may have given the request an acknowledgement id
 * @param durationNanos the time until the answer was complete
 * @param previousSucceeded whether the connection's previous request with events did not fail
 * @param acceptancesBefore how many requests of all senders had been accepted when this one was
 *     sent
 */
record Attempt(
    RequestBatch sent,
    Answer answer,
    boolean isUnanswered,
    boolean maybeIndexed,
    boolean mayHaveAckId,
    long durationNanos,
    boolean previousSucceeded,
    long acceptancesBefore) {
  private static final long SLOW_NANOS = 1_000_000_000L;

  /** Returns the attempt for a request that could not be sent because of a bug in Duplog. */
  static Attempt unsent(
      RequestBatch batch, Answer failure, boolean previousSucceeded, long acceptancesBefore) {
    return new Attempt(batch, failure, true, false, true, 0, previousSucceeded, acceptancesBefore);
  }

  /** Returns why the request was suspected before it was sent, or null if it was not. */
  @Nullable Suspicion suspicion() {
    return sent.suspicion();
  }

  /** Whether the request was rejected with an answer that a busy collector would not give. */
  boolean isRefused() {
    return !isUnanswered && answer instanceof Answer.Misconfigured;
  }

  /** Whether the request took at least a second, so that a few of them would delay others. */
  boolean isSlow() {
    return durationNanos >= SLOW_NANOS;
  }
}
