package io.duplog.statement;

import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * Tracks which hours the signed statements cover, to find gaps, even if the clock was set. Hours
 * that were stated while the clock was ahead are withdrawn once the chain returns to the hours
 * before them. Not thread-safe.
 */
final class StatedHours {
  /**
   * Consecutive hours without a gap.
   *
   * @param number number of the first statement
   */
  record Run(long number, Instant begin, Instant end) {
    boolean isAfter(Instant hour) {
      return begin.isAfter(hour);
    }
  }

  private final Deque<Run> runs = new ArrayDeque<>();
  private final List<String> notes = new ArrayList<>();
  private @Nullable SignedStatement last;

  /** Adds the next statement of the chain. */
  void add(SignedStatement statement) {
    SignedStatement before = last;
    last = statement;
    Instant hour = statement.hour();
    if (before != null && !hour.isAfter(before.hour())) {
      goBack(before, statement);
    }
    Run latest = runs.peekLast();
    if (latest == null || hour.isAfter(latest.end())) {
      runs.add(new Run(statement.number(), hour, statement.until()));
    } else if (hour.equals(latest.end())) {
      runs.removeLast();
      runs.add(new Run(latest.number(), latest.begin(), statement.until()));
    }
  }

  private void goBack(SignedStatement before, SignedStatement statement) {
    Instant hour = statement.hour();
    Deque<Run> earlier = new ArrayDeque<>(runs);
    while (!earlier.isEmpty() && earlier.getLast().isAfter(hour)) {
      earlier.removeLast();
    }
    boolean wasAhead =
        earlier.size() < runs.size()
            && (earlier.isEmpty() || !earlier.getLast().end().isAfter(hour));
    long first = before.number();
    if (wasAhead) {
      while (runs.size() > earlier.size()) {
        first = runs.removeLast().number();
      }
    }
    notes.add(
        "statement %d goes back from %s to %s, because the clock of Redis was set; %s"
            .formatted(
                statement.number(),
                before.hour(),
                hour,
                wasAhead
                    ? "the counts of statements %d to %d are correct, but their hours do not count as stated"
                        .formatted(first, before.number())
                    : "its counts are correct, but they may belong to a later hour"));
  }

  boolean isEmpty() {
    return runs.isEmpty();
  }

  Instant begin() {
    return runs.getFirst().begin();
  }

  Instant end() {
    return runs.getLast().end();
  }

  /** Returns notes for the operator about clock changes, one line each. */
  List<String> notes() {
    return List.copyOf(notes);
  }

  /** Calls the consumer with the beginning and the end of each gap between stated hours. */
  void forEachGap(BiConsumer<Instant, Instant> gap) {
    Instant end = null;
    for (Run run : runs) {
      if (end != null) {
        gap.accept(end, run.begin());
      }
      end = run.end();
    }
  }
}
