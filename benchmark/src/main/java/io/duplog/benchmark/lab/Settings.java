package io.duplog.benchmark.lab;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * A configuration file's keys with their values, in order.
 *
 * @param values by key with its sections, such as {@code receive.prefetch}; a value is YAML
 */
public record Settings(Map<String, String> values) {
  public static final Settings NONE = new Settings(Map.of());

  public Settings {
    values = Collections.unmodifiableMap(new LinkedHashMap<>(values));
  }

  /** The same with one more key, or another value of one. */
  public Settings with(String key, String value) {
    Map<String, String> more = new LinkedHashMap<>(values);
    more.put(key, value);
    return new Settings(more);
  }

  /** The same with all of the others, which win. */
  Settings with(Settings others) {
    Map<String, String> more = new LinkedHashMap<>(values);
    more.putAll(others.values);
    return new Settings(more);
  }

  /** As the programs read it. */
  String toYaml() {
    StringBuilder yaml = new StringBuilder();
    append(yaml, "", values);
    return yaml.toString();
  }

  private static void append(StringBuilder yaml, String indent, Map<String, String> values) {
    Map<String, Map<String, String>> sections = new LinkedHashMap<>();
    values.forEach(
        (key, value) -> {
          int dot = key.indexOf('.');
          String name = dot < 0 ? key : key.substring(0, dot);
          String rest = dot < 0 ? "" : key.substring(dot + 1);
          sections.computeIfAbsent(name, absent -> new LinkedHashMap<>()).put(rest, value);
        });
    sections.forEach(
        (name, inner) -> {
          String value = inner.get("");
          if (value != null) {
            yaml.append(indent).append(name).append(": ").append(value).append('\n');
          } else {
            yaml.append(indent).append(name).append(":\n");
            append(yaml, indent + "  ", inner);
          }
        });
  }

  /** For a report: {@code batch.compress=false, batch.linger=5ms}. */
  @Override
  public String toString() {
    return new TreeMap<>(values)
        .entrySet().stream().map(Map.Entry::toString).collect(Collectors.joining(", "));
  }
}
