package io.duplog.deliver.hec;

import io.duplog.deliver.hec.RequestBatch.Evidence;
import io.duplog.deliver.hec.answer.Answer.Retry;

/**
 * Decides how a failing request is divided and retried until the event that makes it fail is found.
 *
 * @param minPauseNanos the pause before the second try
 * @param maxPauseNanos the maximum pause, unless the collector asks for a longer one
 */
record IsolationRules(long minPauseNanos, long maxPauseNanos) {
  /** Number of other requests that must be accepted before an event's next failure counts. */
  static final int OTHERS_PER_FAILURE = 2;

  /**
   * Maximum number of times that a single event's pause doubles. Longer pauses would leave no
   * others to compare it with.
   */
  static final int MAX_DOUBLINGS_OF_SINGLE_EVENT = 2;

  private static final int TIMEOUTS_BEFORE_GIVING_UP = 3;

  /** Number of rejections (see {@link Attempt#isRefused}) after which an event is given up. */
  private static final int REFUSALS_BEFORE_GIVING_UP = 4;

  private static final int OTHER_FAILURES_BEFORE_GIVING_UP = 5;

  /**
   * Number of parts that a request is divided into if it takes long to fail. The one or two parts
   * with a poison event take as long again, and the others don't.
   */
  private static final int PARTS_OF_SLOW_REQUEST = 16;

  /** Maximum pause that an answer to events may request if the URL accepts empty requests. */
  private static final long MAX_REQUESTED_PAUSE_NANOS = 2_000_000_000L;

  /** Maximum number of doublings, so that the pause does not overflow. */
  private static final int MAX_DOUBLINGS = 20;

  /**
   * Whether a single event's failure counts as evidence against it. A failure counts if the
   * connection had accepted its previous request, and two other requests were accepted since the
   * last failure that counted.
   *
   * <p>The settle rule makes later batches wait for the poison's batch, so a full prefetch may
   * leave no other events to compare the poison with. All requests that were accepted since the
   * event's first failure then count as others, two for each failure. This needs three conditions.
   * No other request is open, the URL accepted the last request, and it accepted at least one since
   * the event's first failure. A collector that becomes busy at night still costs no event. After
   * an event's first failure, such a collector accepts no others. An event that had failed before
   * has failed again after others were accepted.
   *
   * @param acceptances how many requests were accepted so far
   * @param hasOpenOthers whether requests without suspected events are open
   */
  static boolean isCounted(
      Evidence evidence,
      boolean previousSucceeded,
      Endpoint url,
      long acceptances,
      boolean hasOpenOthers) {
    if (previousSucceeded
        && (evidence.countedFailures() == 0
            || acceptances - evidence.acceptancesAtLast() >= OTHERS_PER_FAILURE)) {
      return true;
    }
    return !hasOpenOthers
        && url.hasNoRefusals()
        && url.totalAtLastAcceptance() > evidence.acceptancesAtFirst()
        && acceptances - evidence.acceptancesAtFirst()
            >= OTHERS_PER_FAILURE * Math.max(1L, evidence.countedFailures());
  }

  /** Returns how many counted failures turn a single event into a dead letter. */
  static int failuresToGiveUp(Attempt attempt) {
    if (attempt.isUnanswered() && attempt.isSlow()) {
      return TIMEOUTS_BEFORE_GIVING_UP;
    }
    return attempt.isRefused() ? REFUSALS_BEFORE_GIVING_UP : OTHER_FAILURES_BEFORE_GIVING_UP;
  }

  /**
   * Whether the events of a failed request are retried in smaller requests. If the URL itself is
   * unavailable they are not, unless they had failed before and other requests were accepted since.
   *
   * @param isUrlHealthy whether the URL accepts empty requests
   * @param failures how often exactly these events had failed before
   * @param haveOthersPassed whether other requests were accepted since they last failed
   */
  static boolean isDivided(
      Attempt attempt, boolean isUrlHealthy, int failures, boolean haveOthersPassed) {
    return isUrlHealthy
        ? attempt.isRefused() || failures > 0 || haveOthersPassed || attempt.isSlow()
        : failures > 0 && haveOthersPassed;
  }

  /** Returns the number of smaller requests that a failed request is divided into. */
  static int parts(Attempt attempt) {
    return Math.min(attempt.sent().count(), attempt.isSlow() ? PARTS_OF_SLOW_REQUEST : 2);
  }

  /**
   * Returns the pause in nanoseconds before the events of a failed request are retried.
   *
   * @param isUrlHealthy whether the URL accepts empty requests
   * @param doublings how often the pause has doubled
   * @param haveOthersPassed whether any request was accepted so far
   */
  long pauseNanos(Attempt attempt, boolean isUrlHealthy, int doublings, boolean haveOthersPassed) {
    if (!isUrlHealthy && doublings == 0) {
      return 0; // the URL failed while the request was in flight; another URL may accept it
    }
    long pauseNanos = Math.min(maxPauseNanos, minPauseNanos << Math.min(doublings, MAX_DOUBLINGS));
    // A collector that accepts other requests is not busy, even if it asks for a pause.
    if ((attempt.previousSucceeded() && haveOthersPassed)
        || !(attempt.answer() instanceof Retry retry)) {
      return pauseNanos;
    }
    // The answer to one event must not delay all others for long, because senders choose texts.
    long requestedNanos =
        isUrlHealthy ? Math.min(MAX_REQUESTED_PAUSE_NANOS, retry.afterNanos()) : retry.afterNanos();
    return Math.max(pauseNanos, requestedNanos);
  }

  /**
   * Returns the reason in an event's dead letter.
   *
   * @param acceptances how many requests were accepted so far
   */
  static String reason(Attempt attempt, Evidence evidence, long acceptances) {
    return "The request with this event alone failed "
        + evidence.countedFailures()
        + " times while "
        + (acceptances - evidence.acceptancesAtFirst())
        + " other requests were accepted. Last failure: Splunk, or a proxy or firewall in front of"
        + " it, "
        + attempt.answer().cause();
  }
}
