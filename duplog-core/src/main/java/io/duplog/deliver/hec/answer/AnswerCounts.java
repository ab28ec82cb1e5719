package io.duplog.deliver.hec.answer;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.LongSupplier;

/**
 * Counts requests with events by their outcome, and accepted ones that were not acknowledged in
 * time. Safe for any thread.
 */
public final class AnswerCounts {
  private final Map<String, LongAdder> counts = new LinkedHashMap<>();

  public AnswerCounts() {
    for (String kind :
        ("accepted slow_down retry unreachable misconfigured"
                + " bad_event wrong_index too_large ack_timeout")
            .split(" ", -1)) {
      counts.put(kind, new LongAdder());
    }
  }

  /**
   * Counts a request with events.
   *
   * @param broken whether there was no answer
   */
  public void count(Answer answer, boolean broken) {
    Objects.requireNonNull(counts.get(broken ? "unreachable" : kind(answer))).increment();
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
    Map<String, LongSupplier> byName = new LinkedHashMap<>();
    counts.forEach((kind, adder) -> byName.put(kind, adder::sum));
    return Collections.unmodifiableMap(byName);
  }
}
