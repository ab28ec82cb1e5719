package io.duplog.deliver.hec;

import io.duplog.deliver.hec.RequestBatch.Evidence;
import io.duplog.deliver.hec.answer.Answer.Retry;

/**
 * Decides when a failed request is tried again, how it is divided, and after how many failures an
 * event is given up.
 *
 * @param firstPauseNanos the pause before the second try
 * @param longestPauseNanos the longest pause, unless the collector asks for a longer one
 */
record IsolationRules(long firstPauseNanos, long longestPauseNanos) {
  /** Number of other requests that have to be accepted before an event's next failure counts. */
  static final int OTHERS = 2;

  /**
   * Number of times that a single event's pause doubles. Longer pauses would leave no others to
   * compare it with.
   */
  static final int MOST_DOUBLINGS_OF_ONE = 2;

  private static final int TIMEOUTS_BEFORE_GIVING_UP = 3;

  /** Number of rejections (see {@link Attempt#isRefused}) after which an event is given up. */
  private static final int REFUSALS_BEFORE_GIVING_UP = 4;

  private static final int OTHER_FAILURES_BEFORE_GIVING_UP = 5;

  /**
   * Number of parts that a request is divided into if it takes long to fail. Only the one or two
   * parts with a poison take as long again.
   */
  private static final int PARTS_OF_LONG = 16;

  /**
   * Longest pause that an answer to events may ask for if the URL passes requests without events.
   */
  private static final long LONGEST_ASKED_NANOS = 2_000_000_000L;

  /** Limit for the number of doublings, so that the pause does not overflow. */
  private static final int MOST_DOUBLINGS = 20;

  /** Returns how many failures have to count before a single event becomes a dead letter. */
  static int failuresToGiveUp(Attempt attempt) {
    if (attempt.isBroken() && attempt.isLong()) {
      return TIMEOUTS_BEFORE_GIVING_UP;
    }
    return attempt.isRefused() ? REFUSALS_BEFORE_GIVING_UP : OTHER_FAILURES_BEFORE_GIVING_UP;
  }

  /**
   * Whether the events of a failed request are tried again in smaller requests. If the URL itself
   * is away they are not, unless they had failed before and other requests were accepted since.
   *
   * @param answers whether the URL passes requests without events
   * @param failures how often exactly these events had failed before
   * @param othersPassed whether other requests were accepted since they last failed
   */
  static boolean isDivided(Attempt attempt, boolean answers, int failures, boolean othersPassed) {
    return answers
        ? attempt.isRefused() || failures > 0 || othersPassed || attempt.isLong()
        : failures > 0 && othersPassed;
  }

  /** Returns the number of smaller requests that a failed request is divided into. */
  static int parts(Attempt attempt) {
    return Math.min(attempt.sent().count(), attempt.isLong() ? PARTS_OF_LONG : 2);
  }

  /**
   * Returns how long the events of a failed request wait, in nanoseconds.
   *
   * @param answers whether the URL passes requests without events
   * @param doublings how often the pause has doubled
   * @param takesOthers whether any request was accepted so far
   */
  long pauseNanos(Attempt attempt, boolean answers, int doublings, boolean takesOthers) {
    if (!answers && doublings == 0) {
      return 0; // the URL failed while the request was in flight; another URL may accept it
    }
    long pause =
        Math.min(longestPauseNanos, firstPauseNanos << Math.min(doublings, MOST_DOUBLINGS));
    // A collector that accepts other requests is not busy, even if it asks for a pause.
    if ((attempt.previousPassed() && takesOthers) || !(attempt.answer() instanceof Retry retry)) {
      return pause;
    }
    // The answer to one event must not choose a long pause for all, because senders choose texts.
    long asked = answers ? Math.min(LONGEST_ASKED_NANOS, retry.afterNanos()) : retry.afterNanos();
    return Math.max(pause, asked);
  }

  /**
   * Returns the reason in an event's dead letter.
   *
   * @param accepted how many requests were accepted so far
   */
  static String reason(Attempt attempt, Evidence evidence, long accepted) {
    return "Splunk, or what stands before it, "
        + attempt.answer().cause()
        + (attempt.isBroken() ? " with" : " to")
        + " this event alone, "
        + evidence.countedFailures()
        + " times while "
        + (accepted - evidence.acceptancesAtFirst())
        + " other requests were accepted";
  }
}
