package io.duplog.deliver.hec.answer;

import com.google.common.base.Splitter;
import com.google.common.collect.Maps;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.LongSupplier;

/**
 * Counts requests with events by their outcome, and accepted ones that were not acknowledged in
 * time. Safe for any thread.
 */
public final class AnswerCounts {
  private static final String KINDS =
      "accepted slow_down retry unreachable misconfigured"
          + " bad_event wrong_index too_large ack_timeout";

  private final Map<String, LongAdder> counts =
      Maps.toMap(Splitter.on(' ').split(KINDS), kind -> new LongAdder());

  /**
   * Counts a request with events.
   *
   * @param broken whether there was no answer
   */
  public void count(Answer answer, boolean broken) {
    Objects.requireNonNull(counts.get(broken ? "unreachable" : kind(answer))).increment();
  }

  /** Counts a request without events if Splunk refuses the configuration; no events follow then. */
  public void countTrial(Answer answer) {
    if (answer instanceof Answer.Misconfigured) {
      count(answer, false);
    }
  }

  /** Adds to the count of accepted requests that were not acknowledged in time. */
  public void countUnacknowledged(int requests) {
    Objects.requireNonNull(counts.get("ack_timeout")).add(requests);
  }

  private static String kind(Answer answer) {
    if (answer instanceof Answer.Accepted accepted) {
      return accepted.slowDown() ? "slow_down" : "accepted";
    }
    if (answer instanceof Answer.Misconfigured) {
      return "misconfigured";
    }
    if (answer instanceof Answer.BadEvent) {
      return "bad_event";
    }
    if (answer instanceof Answer.WrongIndex) {
      return "wrong_index";
    }
    return answer instanceof Answer.TooLarge ? "too_large" : "retry";
  }

  /** Returns a supplier of the current count for each kind of outcome. */
  public Map<String, LongSupplier> asMap() {
    return Maps.transformValues(counts, adder -> adder::sum);
  }
}
