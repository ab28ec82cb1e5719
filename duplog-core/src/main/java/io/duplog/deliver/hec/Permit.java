package io.duplog.deliver.hec;

/** What a sender may do with its URL now. */
sealed interface Permit {

  /** Requests with events may leave. */
  record Send() implements Permit {}

  /** The sender has to find out whether the URL is well, and to tell the endpoint. */
  record Probe() implements Permit {}

  /** Nothing may leave for the given time, at most {@link Long#MAX_VALUE}. */
  record Wait(long nanos) implements Permit {}
}
