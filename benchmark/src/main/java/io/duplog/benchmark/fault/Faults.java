package io.duplog.benchmark.fault;

import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** All faults, in the order of the table. */
public final class Faults {
  private Faults() {}

  public static List<Fault> all() {
    return Stream.of(
            ProcessFaults.all(),
            HostFaults.all(),
            NetworkFaults.all(),
            RedisFaults.all(),
            FailoverFaults.all(),
            BrokerFaults.all(),
            DiskQueueFaults.all(),
            List.of(ProcessFaults.misnamed()),
            FileFaults.all(),
            HecFaults.all(),
            DeadLetterFaults.all(),
            StatusFaults.all(),
            CombinedFaults.all())
        .flatMap(List::stream)
        .toList();
  }

  /**
   * Those that the names say, in the order of the table.
   *
   * @param names each a fault's name, in which an asterisk stands for anything; all where there is
   *     none
   * @throws IllegalArgumentException if a name stands for no fault
   */
  public static List<Fault> named(List<String> names) {
    Set<String> chosen = new HashSet<>();
    for (String name : names) {
      Pattern pattern = Pattern.compile(Pattern.quote(name).replace("*", "\\E.*\\Q"));
      List<Fault> found =
          all().stream().filter(fault -> pattern.matcher(fault.name()).matches()).toList();
      if (found.isEmpty()) {
        throw new IllegalArgumentException("no fault is named " + name + " (--list names them)");
      }
      found.forEach(fault -> chosen.add(fault.name()));
    }
    return all().stream()
        .filter(fault -> names.isEmpty() || chosen.contains(fault.name()))
        .toList();
  }
}
