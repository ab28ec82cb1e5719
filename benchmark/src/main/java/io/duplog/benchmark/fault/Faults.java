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

/** Reads all faults from {@code faults.json}, and returns them in the order of that file. */
public final class Faults {
  /**
   * Default for how late a message may be: a lease and the longest pause of a retry, 10 s each, and
   * half as much again for a busy machine.
   */
  private static final int LEAST_DELAY_SECONDS = 30;

  /** All faults, in the order of the table. */
  public static final List<Fault> ALL = read();

  private Faults() {}

  /**
   * A row of the table. A field that it leaves out has its default.
   *
   * @param setup lab that the fault needs, PLAIN by default
   * @param times how often the steps are done, each time at the cost of as many burned messages and
   *     duplicates; 1 by default
   * @param burnedSeconds see {@link Fault.Limits}; 0 by default
   * @param duplicates amount for each cause of duplicates; none by default
   * @param pauseSeconds longest time without any delivery; 1 by default
   * @param delaySeconds longest time that a message may be under way, in addition to the time that
   *     the fault itself takes; by default the pause, but at least {@link #LEAST_DELAY_SECONDS}
   * @param steps lines in the words of {@link Steps}
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

    Fault named(String name) {
      int strikes = Math.max(1, times);
      Bound bound = Bound.NONE;
      if (duplicates != null) {
        for (Map.Entry<ExpectedDuplicates, Double> licence : duplicates.entrySet()) {
          bound = bound.and(licence.getKey().of(licence.getValue()));
        }
      }
      return new Fault(
          name,
          what,
          setup == null ? Setup.PLAIN : setup,
          fate(),
          bound.times(strikes),
          new Fault.Limits(
              strikes * burnedSeconds,
              Duration.ofSeconds(Math.max(1, pauseSeconds)),
              Duration.ofSeconds(
                  delaySeconds > 0 ? delaySeconds : Math.max(LEAST_DELAY_SECONDS, pauseSeconds))),
          refused,
          Steps.of(steps, strikes));
    }

    /**
     * Returns what becomes of the first ingest node. It is never {@code BURNED} if messages are
     * refused, because each of these must be found among the dead letters.
     */
    private Fault.NodeFate fate() {
      if (!nodeStruck) {
        return Fault.NodeFate.WHOLE;
      }
      return steps.contains("wipe-node") && refused == 0
          ? Fault.NodeFate.BURNED
          : Fault.NodeFate.STRUCK;
    }
  }

  private static List<Fault> read() {
    JsonMapper mapper =
        JsonMapper.builder().enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION).build();
    try {
      byte[] table = Resources.toByteArray(Resources.getResource(Faults.class, "faults.json"));
      Map<String, FaultRow> rows =
          mapper.readValue(table, new TypeReference<LinkedHashMap<String, FaultRow>>() {});
      return rows.entrySet().stream().map(row -> row.getValue().named(row.getKey())).toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /**
   * Returns the faults with these names, in the order of the table.
   *
   * @param names names in which an asterisk stands for anything; an empty list stands for all
   *     faults
   * @throws IllegalArgumentException if a name stands for no fault
   */
  public static List<Fault> named(List<String> names) {
    Set<Fault> chosen = new HashSet<>();
    for (String name : names) {
      Pattern pattern = Pattern.compile(Pattern.quote(name).replace("*", "\\E.*\\Q"));
      List<Fault> found =
          ALL.stream().filter(fault -> pattern.matcher(fault.name()).matches()).toList();
      if (found.isEmpty()) {
        throw new IllegalArgumentException("no fault is named " + name + " (--list names them)");
      }
      chosen.addAll(found);
    }
    return names.isEmpty() ? ALL : ALL.stream().filter(chosen::contains).toList();
  }
}
