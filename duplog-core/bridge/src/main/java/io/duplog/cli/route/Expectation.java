package io.duplog.cli.route;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;

/**
 * The metadata that a sample message should get, such as {@code cisco:asa host=fw-1}, to test
 * routing rules. A {@code -} means no value.
 *
 * @param values by name as in {@link RoutedLine#outcome}, the sourcetype first
 */
record Expectation(Map<String, String> values) {
  private static final String SOURCETYPE = "sourcetype";
  private static final Set<String> NAMES = Set.of("host", "time", "index", "source", "topic");

  /**
   * Reads a sample's first cell.
   *
   * @throws IllegalArgumentException if the cell is invalid; the message describes valid cells
   */
  static Expectation parse(String cell) {
    String[] parts = cell.strip().split(" +(?=[A-Za-z-]+=)", -1);
    Map<String, String> values = new LinkedHashMap<>();
    values.put(SOURCETYPE, parts[0]);
    if (parts[0].isEmpty() || NAMES.contains(name(parts[0]))) {
      throw new IllegalArgumentException("must begin with a sourcetype, not '" + cell + "'");
    }
    for (int i = 1; i < parts.length; i++) {
      String name = name(parts[i]);
      String value = parts[i].substring(name.length() + 1).strip();
      if (!NAMES.contains(name)) {
        throw new IllegalArgumentException(
            "must have host=, time=, index=, source= or topic= behind the sourcetype, not '"
                + parts[i]
                + "'");
      }
      if (value.isEmpty()) {
        throw new IllegalArgumentException(name + "= must have a value; - is none");
      }
      boolean isTime = name.equals("time") && !value.equals("-");
      if (values.put(name, isTime ? time(value) : value) != null) {
        throw new IllegalArgumentException("must not have " + name + "= twice");
      }
    }
    return new Expectation(values);
  }

  private static String name(String part) {
    return part.substring(0, Math.max(0, part.indexOf('=')));
  }

  private static String time(String value) {
    try {
      return Rfc3339.format(Rfc3339.parse(value));
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException("time= " + e.getMessage(), e);
    }
  }

  String sourcetype() {
    return values.getOrDefault(SOURCETYPE, "");
  }

  /** Returns the names of the values that differ from the outcome, in the sample's order. */
  Set<String> differences(Map<String, String> outcome) {
    Map<String, String> differing = new LinkedHashMap<>(values);
    differing.entrySet().removeAll(outcome.entrySet());
    return differing.keySet();
  }

  /** Formats the named values in the samples' notation, such as {@code cisco:asa host=fw-1}. */
  static String text(Map<String, String> values, Set<String> names) {
    StringBuilder text = new StringBuilder();
    for (String name : names) {
      text.append(text.isEmpty() ? "" : " ");
      text.append(name.equals(SOURCETYPE) ? "" : name + "=").append(values.get(name));
    }
    return text.toString();
  }
}
