package io.duplog.deliver.hec;

import java.util.Collections;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.LongSupplier;

/** How many requests with events were answered how. Safe for any thread. */
final class AnswerCounts {
  private enum Kind {
    ACCEPTED,
    /** Accepted, with the wish to get less. */
    SLOW_DOWN,
    RETRY,
    /** No answer at all. */
    UNREACHABLE,
    MISCONFIGURED,
    BAD_EVENT,
    WRONG_INDEX,
    TOO_LARGE
  }

  private final Map<Kind, LongAdder> counts = new EnumMap<>(Kind.class);

  AnswerCounts() {
    for (Kind kind : Kind.values()) {
      counts.put(kind, new LongAdder());
    }
  }

  /**
   * @param broken whether there was none
   */
  void count(Answer answer, boolean broken) {
    LongAdder adder = counts.get(broken ? Kind.UNREACHABLE : kind(answer));
    if (adder != null) {
      adder.increment();
    }
  }

  private static Kind kind(Answer answer) {
    if (answer instanceof Answer.Accepted accepted) {
      return accepted.slowDown() ? Kind.SLOW_DOWN : Kind.ACCEPTED;
    }
    if (answer instanceof Answer.Misconfigured) {
      return Kind.MISCONFIGURED;
    }
    if (answer instanceof Answer.BadEvent) {
      return Kind.BAD_EVENT;
    }
    if (answer instanceof Answer.WrongIndex) {
      return Kind.WRONG_INDEX;
    }
    return answer instanceof Answer.TooLarge ? Kind.TOO_LARGE : Kind.RETRY;
  }

  /** By the kinds' names, in lower case. */
  Map<String, LongSupplier> asMap() {
    Map<String, LongSupplier> byName = new LinkedHashMap<>();
    counts.forEach((kind, adder) -> byName.put(kind.name().toLowerCase(Locale.ROOT), adder::sum));
    return Collections.unmodifiableMap(byName);
  }
}
