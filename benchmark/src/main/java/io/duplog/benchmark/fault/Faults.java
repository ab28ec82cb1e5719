package io.duplog.benchmark.fault;

import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.google.common.io.Resources;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Reads the table of all chaos faults from {@code faults.json}. */
public final class Faults {
  /**
   * Default for the maximum delay of a message: a lease and the longest pause of a retry, 10 s
   * each, and half as much again for a busy machine.
   */
  private static final int DEFAULT_DELAY_SECONDS = 30;

  /** All faults, in the order of the table. */
  public static final List<Fault> ALL = read();

  private Faults() {}

  /**
   * A row of {@code faults.json}. An omitted field has its default.
   *
   * @param setup lab that the fault needs, PLAIN by default
   * @param times how often the steps are run; each time allows the same losses with the disk, and
   *     the same duplicates; 1 by default
   * @param burnedSeconds see {@link Fault.Limits}; 0 by default
   * @param duplicates amount for each cause of duplicates; none by default
   * @param pauseSeconds maximum time without any delivery; 1 by default
   * @param delaySeconds maximum delay of a message, in addition to the duration of the fault
   *     itself; by default the pause, but at least {@link #DEFAULT_DELAY_SECONDS}
   * @param steps lines in the language of {@link Steps}
   */
  private record FaultRow(
      String what,
      @Nullable Setup setup,
      boolean nodeStruck,
      int times,
      double burnedSeconds,
      @Nullable Map<ExpectedDuplicates, Double> duplicates,
      int pauseSeconds,
      int delaySeconds,
      int refused,
      List<String> steps) {

    Fault toFault(String name) {
      int repetitions = Math.max(1, times);
      Bound bound = Bound.NONE;
      if (duplicates != null) {
        for (Map.Entry<ExpectedDuplicates, Double> amount : duplicates.entrySet()) {
          bound = bound.and(amount.getKey().of(amount.getValue()));
        }
      }
      return new Fault(
          name,
          what,
          setup == null ? Setup.PLAIN : setup,
          fate(),
          bound.times(repetitions),
          new Fault.Limits(
              repetitions * burnedSeconds,
              Duration.ofSeconds(Math.max(1, pauseSeconds)),
              Duration.ofSeconds(
                  delaySeconds > 0 ? delaySeconds : Math.max(DEFAULT_DELAY_SECONDS, pauseSeconds))),
          refused,
          Steps.of(steps, repetitions));
    }

    /**
     * Returns the effect on the first ingest node. If messages are refused, the effect is never
     * {@code DESTROYED}, because each refused message must be found among the dead letters.
     */
    private Fault.NodeFate fate() {
      if (!nodeStruck) {
        return Fault.NodeFate.INTACT;
      }
      return steps.contains("wipe-node") && refused == 0
          ? Fault.NodeFate.DESTROYED
          : Fault.NodeFate.DISTURBED;
    }
  }

  private static List<Fault> read() {
    JsonMapper mapper =
        JsonMapper.builder().enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION).build();
    try {
      byte[] table = Resources.toByteArray(Resources.getResource(Faults.class, "faults.json"));
      Map<String, FaultRow> rows =
          mapper.readValue(table, new TypeReference<LinkedHashMap<String, FaultRow>>() {});
      return rows.entrySet().stream().map(row -> row.getValue().toFault(row.getKey())).toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /**
   * Returns the faults with these names, in the order of the table.
   *
   * @param names names, in which an asterisk matches any text; an empty list selects all faults
   * @throws IllegalArgumentException if no fault has one of the names
   */
  public static List<Fault> named(List<String> names) {
    Set<Fault> selected = new HashSet<>();
    for (String name : names) {
      Pattern pattern = Pattern.compile(Pattern.quote(name).replace("*", "\\E.*\\Q"));
      List<Fault> matches =
          ALL.stream().filter(fault -> pattern.matcher(fault.name()).matches()).toList();
      if (matches.isEmpty()) {
        throw new IllegalArgumentException(
            "no fault is named " + name + " (--list shows all names)");
      }
      selected.addAll(matches);
    }
    return names.isEmpty() ? ALL : ALL.stream().filter(selected::contains).toList();
  }
}
