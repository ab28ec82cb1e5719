package io.duplog.deliver.hec;

import io.duplog.deliver.hec.answer.Answer;
import io.duplog.deliver.hec.answer.Answer.Retry;

/**
 * What came of sending a request with events.
 *
 * @param isBroken whether there was no answer
 * @param maybeIndexed whether Splunk may have some of its events although it did not accept it
 * @param isCounted whether the request may have got an acknowledgement's id, told or not
 * @param tookNanos until the answer was complete
 */
record RequestOutcome(
    Answer answer, boolean isBroken, boolean maybeIndexed, boolean isCounted, long tookNanos) {

  /** The outcome of a request that a defect of ours kept from leaving. */
  static RequestOutcome unsent(Retry answer) {
    return new RequestOutcome(answer, true, false, true, 0);
  }
}
