package io.duplog.deliver.hec;

/** The permission that an endpoint gives a sender. */
sealed interface Permit {

  /** Permission to send requests with events. */
  record Send() implements Permit {}

  /** Instruction to find out whether the URL is well, and to tell the endpoint. */
  record Probe() implements Permit {}

  /**
   * Instruction to send nothing for a time.
   *
   * @param nanos how long; {@link Long#MAX_VALUE} for an unknown time
   */
  record Wait(long nanos) implements Permit {}
}
