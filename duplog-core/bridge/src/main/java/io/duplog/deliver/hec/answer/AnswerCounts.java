package io.duplog.deliver.hec.answer;

import com.google.common.base.Splitter;
import com.google.common.collect.Maps;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.LongSupplier;

/** Counts the answers to HEC requests by kind, for metrics and the status page. Thread-safe. */
public final class AnswerCounts {
  private static final String KINDS =
      "accepted slow_down retry unreachable misconfigured"
          + " bad_event wrong_index too_large ack_timeout";

  private final Map<String, LongAdder> counts =
      Maps.toMap(Splitter.on(' ').split(KINDS), kind -> new LongAdder());

  /**
   * Counts a request with events.
   *
   * @param unanswered whether there was no answer
   */
  public void count(Answer answer, boolean unanswered) {
    Objects.requireNonNull(counts.get(unanswered ? "unreachable" : kind(answer))).increment();
  }

  /** Counts an empty request if Splunk rejects the configuration; no events are sent then. */
  public void countProbe(Answer answer) {
    if (answer instanceof Answer.Misconfigured) {
      count(answer, false);
    }
  }

  /** Counts accepted requests whose acknowledgement timed out. */
  public void countAckTimeouts(int requests) {
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
