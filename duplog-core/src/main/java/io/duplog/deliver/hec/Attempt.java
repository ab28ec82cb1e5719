package io.duplog.deliver.hec;

/**
 * A request that was sent.
 *
 * @param sent its messages
 * @param tookNanos until the answer was complete
 * @param unsuspected whether nothing was held against it
 * @param broken whether there was no answer at all
 */
record Attempt(Load sent, Answer answer, long tookNanos, boolean unsuspected, boolean broken) {

  /** Turned away by who answered, whatever it was. */
  boolean isRefused() {
    return !broken && (answer instanceof Answer.Retry || answer instanceof Answer.Misconfigured);
  }
}
