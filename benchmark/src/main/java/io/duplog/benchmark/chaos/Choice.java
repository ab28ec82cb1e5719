package io.duplog.benchmark.chaos;

import io.duplog.benchmark.fault.Fault;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/** The faults that someone asks for by name. */
final class Choice {
  private Choice() {}

  /**
   * Those of all faults that the names say, in the order of the table.
   *
   * @param names each a fault's name, in which an asterisk stands for anything
   * @throws IllegalArgumentException if a name stands for no fault
   */
  static List<Fault> of(List<Fault> all, List<String> names) {
    if (names.isEmpty()) {
      return all;
    }
    List<Pattern> patterns = new ArrayList<>();
    for (String name : names) {
      Pattern pattern = Pattern.compile(Pattern.quote(name).replace("*", "\\E.*\\Q"));
      if (all.stream().noneMatch(fault -> pattern.matcher(fault.name()).matches())) {
        throw new IllegalArgumentException("no fault is named " + name + " (--list names them)");
      }
      patterns.add(pattern);
    }
    return all.stream()
        .filter(fault -> patterns.stream().anyMatch(p -> p.matcher(fault.name()).matches()))
        .toList();
  }
}
