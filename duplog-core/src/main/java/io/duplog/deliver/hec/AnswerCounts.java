package io.duplog.deliver.hec;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.LongSupplier;

/**
 * How many requests with events were answered how, or not acknowledged in time. Safe for any
 * thread.
 */
final class AnswerCounts {
  private final Map<String, LongAdder> counts = new LinkedHashMap<>();

  AnswerCounts() {
    for (String kind :
        ("accepted slow_down retry unreachable misconfigured"
                + " bad_event wrong_index too_large ack_timeout")
            .split(" ", -1)) {
      counts.put(kind, new LongAdder());
    }
  }

  /**
   * @param broken whether there was none
   */
  void count(Answer answer, boolean broken) {
    Objects.requireNonNull(counts.get(broken ? "unreachable" : kind(answer))).increment();
  }

  /** So many that were accepted were not acknowledged in time. */
  void countUnacknowledged(int requests) {
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

  /** By kind. */
  Map<String, LongSupplier> asMap() {
    Map<String, LongSupplier> byName = new LinkedHashMap<>();
    counts.forEach((kind, adder) -> byName.put(kind, adder::sum));
    return Collections.unmodifiableMap(byName);
  }
}
