package io.duplog.deliver.hec.answer;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * The meaning of a collector's reply for the sink: accepted, to be retried, or refused for a
 * reason.
 */
public sealed interface Answer {

  /**
   * Returns the description that follows the URL's name in a log line, such as {@code answers 503
   * (code 9, Server is busy)}.
   */
  String cause();

  /**
   * Returns an instruction for an administrator, such as {@code check sink.hec.token}, or an empty
   * text if the failure may be temporary.
   */
  default String remedy() {
    return "";
  }

  /**
   * Whether the request failed as a whole, and neither because of its size nor because of an event
   * that Splunk identifies.
   */
  default boolean isFailure() {
    return this instanceof Retry || this instanceof Misconfigured;
  }

  /**
   * Splunk has accepted the request.
   *
   * @param ackId the id to poll for the indexers' acknowledgement, or null if there was none
   * @param slowDown whether Splunk asks for fewer events
   */
  record Accepted(@Nullable Long ackId, boolean slowDown) implements Answer {
    @Override
    public String cause() {
      return "accepts it";
    }
  }

  /**
   * The request failed and may succeed later.
   *
   * @param kind a text that is equal for failures that an operator need not distinguish
   * @param after the minimum wait, or null if Splunk specified none
   */
  record Retry(String cause, String kind, @Nullable Duration after) implements Answer {
    public Retry(String cause, @Nullable Duration after) {
      this(cause, cause, after);
    }

    /** Returns the minimum wait in nanoseconds, or 0 if Splunk specified none. */
    public long afterNanos() {
      return after == null ? 0 : after.toNanos();
    }
  }

  /** The request can't succeed until the configuration of Duplog or Splunk is changed. */
  record Misconfigured(String cause, String remedy) implements Answer {}

  /**
   * Splunk rejects one event. The events before it are indexed; that event and those after it are
   * not.
   *
   * @param event the event's number from 0, or -1 if Splunk does not report it
   */
  record BadEvent(int event, String cause) implements Answer {}

  /**
   * Splunk rejects one event because its index does not exist or the token may not write to it. The
   * events before it are indexed.
   *
   * @param event the bad event's number from 0 or, as Splunk 10.4 counts, the number of the next
   *     one; -1 if Splunk does not report it
   */
  record WrongIndex(int event, String cause) implements Answer {}

  /** The request is too large, and Splunk has indexed none of its events. */
  record TooLarge(String cause) implements Answer {}
}
