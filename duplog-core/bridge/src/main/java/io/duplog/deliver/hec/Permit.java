package io.duplog.deliver.hec;

/** Tells a sender what to do next at its URL: send events, test whether the URL works, or wait. */
sealed interface Permit {

  /** Permission to send requests with events. */
  record Send() implements Permit {}

  /**
   * An instruction to test whether the URL is healthy, and to report the outcome to the endpoint.
   */
  record Probe() implements Permit {}

  /**
   * An instruction to send nothing for a while.
   *
   * @param nanos the time to wait, or {@link Long#MAX_VALUE} if it is unknown
   */
  record Wait(long nanos) implements Permit {}
}
