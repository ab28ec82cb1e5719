package io.duplog.benchmark.lab;

import com.google.common.base.Splitter;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** A configuration file of the bridge or the shim. */
final class ProgramConfig {
  private ProgramConfig() {}

  /**
   * As the programs read it.
   *
   * @param values by key with its sections, such as {@code receive.prefetch}; a value is YAML
   */
  static String yaml(Map<String, String> values) {
    StringBuilder yaml = new StringBuilder();
    List<String> open = List.of();
    // Sorted, so that a section's keys stand together.
    for (Map.Entry<String, String> entry : new TreeMap<>(values).entrySet()) {
      List<String> names = Splitter.on('.').splitToList(entry.getKey());
      List<String> sections = names.subList(0, names.size() - 1);
      for (int depth = 0; depth < sections.size(); depth++) {
        if (!sections
            .subList(0, depth + 1)
            .equals(open.subList(0, Math.min(depth + 1, open.size())))) {
          yaml.append("  ".repeat(depth)).append(sections.get(depth)).append(":\n");
        }
      }
      open = sections;
      yaml.append("  ".repeat(sections.size()))
          .append(names.get(sections.size()))
          .append(": ")
          .append(entry.getValue())
          .append('\n');
    }
    return yaml.toString();
  }
}
