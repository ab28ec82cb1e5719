package io.duplog.deliver.hec;

import io.duplog.deliver.hec.answer.Answer;
import io.duplog.deliver.hec.answer.Answer.Retry;

/**
 * The outcome of sending a request with events.
 *
 * @param isBroken whether there was no answer
 * @param maybeIndexed whether Splunk may have some of the events although it did not accept the
 *     request
 * @param isCounted whether the indexers may have given the request an acknowledgement id
 * @param tookNanos how long it took until the answer was complete
 */
record RequestOutcome(
    Answer answer, boolean isBroken, boolean maybeIndexed, boolean isCounted, long tookNanos) {

  /** Returns the outcome of a request that could not be sent because of a defect in Duplog. */
  static RequestOutcome unsent(Retry answer) {
    return new RequestOutcome(answer, true, false, true, 0);
  }
}
