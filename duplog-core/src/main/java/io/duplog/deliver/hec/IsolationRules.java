package io.duplog.deliver.hec;

import io.duplog.deliver.hec.RequestBatch.Evidence;
import io.duplog.deliver.hec.answer.Answer.Retry;

/**
 * How often a failed event is tried, when, and in which company, before it is given up.
 *
 * @param firstPauseNanos before the second try
 * @param longestPauseNanos unless the collector asks for a longer one
 */
record IsolationRules(long firstPauseNanos, long longestPauseNanos) {
  /** How many other requests have to be accepted for each failure that counts. */
  static final int OTHERS = 2;

  /** The pauses of a single event grow no further: events to compare it with have to be there. */
  static final int MOST_DOUBLINGS_OF_ONE = 2;

  private static final int TIMEOUTS_BEFORE_GIVING_UP = 3;

  /** Refusals are answers that no busy collector gives. */
  private static final int REFUSALS_BEFORE_GIVING_UP = 4;

  private static final int OTHER_FAILURES_BEFORE_GIVING_UP = 5;

  /**
   * A request that takes long to fail is divided into so many parts at once. Only one or two of
   * them take long again.
   */
  private static final int PARTS_OF_LONG = 16;

  /** The longest pause that the answer to events may ask for while requests without events pass. */
  private static final long LONGEST_ASKED_NANOS = 2_000_000_000L;

  private static final int MOST_DOUBLINGS = 20;

  /** How many failures of a single event count before it is given up. */
  static int failuresToGiveUp(Attempt attempt) {
    if (attempt.isBroken() && attempt.isLong()) {
      return TIMEOUTS_BEFORE_GIVING_UP;
    }
    return attempt.isRefused() ? REFUSALS_BEFORE_GIVING_UP : OTHER_FAILURES_BEFORE_GIVING_UP;
  }

  /**
   * Whether the events of a failed request are tried in smaller requests. While the URL itself is
   * away they are not, unless others pass and these fail again.
   *
   * @param answers whether the URL passes requests without events
   * @param failures how often just these events had failed before
   * @param othersPassed whether other requests were accepted since
   */
  static boolean isDivided(Attempt attempt, boolean answers, int failures, boolean othersPassed) {
    return answers
        ? attempt.isRefused() || failures > 0 || othersPassed || attempt.isLong()
        : failures > 0 && othersPassed;
  }

  /** Into how many requests the events of a failed one are divided. */
  static int parts(Attempt attempt) {
    return Math.min(attempt.sent().count(), attempt.isLong() ? PARTS_OF_LONG : 2);
  }

  /**
   * How long the events of a failed request wait.
   *
   * @param doublings how often the pause has grown
   * @param takesOthers whether any request was accepted so far
   */
  long pauseNanos(Attempt attempt, boolean answers, int doublings, boolean takesOthers) {
    if (!answers && doublings == 0) {
      return 0; // the request was in flight when the URL failed: another URL may take it
    }
    long pause =
        Math.min(longestPauseNanos, firstPauseNanos << Math.min(doublings, MOST_DOUBLINGS));
    // A collector that accepts others is not busy, whatever it asks for.
    if ((attempt.proven() && takesOthers) || !(attempt.answer() instanceof Retry retry)) {
      return pause;
    }
    // Nor is one that answers: whoever can have a text refused would choose the pause of all.
    long asked = answers ? Math.min(LONGEST_ASKED_NANOS, retry.afterNanos()) : retry.afterNanos();
    return Math.max(pause, asked);
  }

  /** Why an event is given up, for its dead letter. */
  static String reason(Attempt attempt, Evidence evidence, long accepted) {
    return "Splunk, or what stands before it, "
        + attempt.answer().cause()
        + (attempt.isBroken() ? " with" : " to")
        + " this event alone, "
        + evidence.counted()
        + " times while "
        + (accepted - evidence.acceptedAtFirst())
        + " other requests were accepted";
  }
}
