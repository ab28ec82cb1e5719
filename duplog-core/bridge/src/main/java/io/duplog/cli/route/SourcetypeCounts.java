package io.duplog.cli.route;

import java.util.Map;
import java.util.TreeMap;

/**
 * Counts the lines of {@code duplog route} by the sourcetype that they would get. Not thread-safe.
 */
final class SourcetypeCounts {
  private record Count(long all, long expected) {
    Count plus(Count other) {
      return new Count(all + other.all, expected + other.expected);
    }
  }

  private final Map<String, Count> counts = new TreeMap<>();

  /**
   * Counts a message.
   *
   * @param isAsExpected whether the message met its expectation; always true if there are no
   *     expectations
   */
  void add(String sourcetype, boolean isAsExpected) {
    counts.merge(sourcetype, new Count(1, isAsExpected ? 1 : 0), Count::plus);
  }

  /** Returns a table: a line for each sourcetype in alphabetical order, and one for the total. */
  String table(boolean compared) {
    int width =
        counts.keySet().stream().mapToInt(String::length).reduce("sourcetype".length(), Math::max);
    StringBuilder table = new StringBuilder();
    String format = "%-" + width + "s  %8s" + (compared ? "  %11s%n" : "%n");
    table.append(format.formatted("sourcetype", compared ? "samples" : "messages", "as expected"));
    Count total = new Count(0, 0);
    for (Map.Entry<String, Count> count : counts.entrySet()) {
      total = total.plus(count.getValue());
      table.append(row(format, count.getKey(), count.getValue()));
    }
    return table.append(row(format, "total", total)).toString();
  }

  private static String row(String format, String name, Count count) {
    return format.formatted(name, count.all, count.expected);
  }
}
