package io.duplog.deliver.hec;

/** An endpoint's decision on what a sender may do next. */
sealed interface Permit {

  /** Permission to send requests with events. */
  record Send() implements Permit {}

  /** Instruction to test whether the URL is healthy, and to report the outcome to the endpoint. */
  record Probe() implements Permit {}

  /**
   * Instruction to send nothing for a time.
   *
   * @param nanos how long; {@link Long#MAX_VALUE} for an unknown time
   */
  record Wait(long nanos) implements Permit {}
}
