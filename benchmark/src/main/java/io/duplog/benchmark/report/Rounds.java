package io.duplog.benchmark.report;

import com.google.common.collect.HashBasedTable;
import com.google.common.collect.LinkedListMultimap;
import com.google.common.collect.ListMultimap;
import com.google.common.collect.Maps;
import com.google.common.collect.Multimaps;
import com.google.common.collect.Table;
import com.google.common.math.Quantiles;
import io.duplog.benchmark.measure.Reconciliation;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;

/**
 * Runs that were made in rounds, each of which holds every run once. The name of such a run ends
 * with the round's number; runs without a number form a round of their own.
 */
public final class Rounds {
  private static final String NUMBER = " #";

  private final Table<String, String, Run> byRound = HashBasedTable.create();
  private final ListMultimap<String, Run> byName = LinkedListMultimap.create();

  Rounds(List<Run> runs) {
    for (Run run : runs) {
      String name = run.variant().replaceFirst(NUMBER + "[0-9]+$", "");
      byRound.put(run.variant().substring(name.length()), name, run);
      byName.put(name, run);
    }
  }

  /** Returns the name of a run in a round, such as {@code duplog #2}. */
  public static String name(String run, int round) {
    return run + NUMBER + round;
  }

  /** Returns the runs of each round, by name. */
  Collection<Map<String, Run>> all() {
    return byRound.rowMap().values();
  }

  /**
   * Returns one run for each name, with the medians of the rates and processor times, and the
   * counts of the run that lost most. Other figures are left out.
   */
  List<Run> medians() {
    return Multimaps.asMap(byName).entrySet().stream()
        .map(runs -> median(runs.getKey(), runs.getValue()))
        .toList();
  }

  private static Run median(String name, List<Run> runs) {
    ListMultimap<String, Double> cpu = LinkedListMultimap.create();
    runs.forEach(run -> run.cpuMicros().forEach(cpu::put));
    Comparator<Reconciliation> losses =
        Comparator.comparing(Reconciliation::lost).thenComparing(Reconciliation::duplicated);
    return new Run(
        name,
        runs.stream().map(Run::counts).max(losses).orElseThrow(),
        Quantiles.median().compute(runs.stream().map(Run::rate).toList()),
        null,
        Maps.transformValues(Multimaps.asMap(cpu), all -> Quantiles.median().compute(all)),
        Map.of(),
        Map.of(),
        Map.of());
  }
}
