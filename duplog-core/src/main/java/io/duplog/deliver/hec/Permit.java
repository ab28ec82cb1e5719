package io.duplog.deliver.hec;

/** An endpoint's decision on what a sender may do next. */
sealed interface Permit {

  /**
   * Permission to send requests with events, at once or after a time.
   *
   * @param afterNanos how long to send nothing, 0 or less for not at all; {@link Long#MAX_VALUE}
   *     for an unknown time
   */
  record Send(long afterNanos) implements Permit {}

  /** Instruction to test whether the URL is healthy, and to report the outcome to the endpoint. */
  record Probe() implements Permit {}
}
