package io.duplog.benchmark.report;

import com.google.common.collect.HashBasedTable;
import com.google.common.collect.LinkedListMultimap;
import com.google.common.collect.ListMultimap;
import com.google.common.collect.Maps;
import com.google.common.collect.Multimaps;
import com.google.common.collect.Table;
import com.google.common.math.Quantiles;
import io.duplog.benchmark.measure.Latency;
import io.duplog.benchmark.measure.Reconciliation;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Groups the runs of a scenario by rounds, so that only runs made shortly after each other are
 * compared. Each round has every run once. The name of such a run ends with the round's number.
 * Runs without a number form a separate round.
 */
public final class Rounds {
  private static final String NUMBER_PREFIX = " #";

  private final Table<String, String, Run> runsByRound = HashBasedTable.create();
  private final ListMultimap<String, Run> runsByName = LinkedListMultimap.create();

  Rounds(List<Run> runs) {
    for (Run run : runs) {
      String name = run.variant().replaceFirst(NUMBER_PREFIX + "[0-9]+$", "");
      runsByRound.put(run.variant().substring(name.length()), name, run);
      runsByName.put(name, run);
    }
  }

  /** Returns the name of a run in one round, such as {@code duplog #2}. */
  public static String name(String run, int round) {
    return run + NUMBER_PREFIX + round;
  }

  /** Returns all rounds, as maps of their runs by name. */
  Collection<Map<String, Run>> allRounds() {
    return runsByRound.rowMap().values();
  }

  /**
   * Returns one run for each name, with the median of each figure. Counts are those of the run that
   * lost most messages. Facts are those of the first run.
   */
  List<Run> medians() {
    return Multimaps.asMap(runsByName).entrySet().stream()
        .map(runs -> median(runs.getKey(), runs.getValue()))
        .toList();
  }

  private static Run median(String name, List<Run> runs) {
    Comparator<Reconciliation> losses =
        Comparator.comparing(Reconciliation::lost).thenComparing(Reconciliation::duplicated);
    return new Run(
        name,
        runs.stream().map(Run::counts).max(losses).orElseThrow(),
        median(runs.stream().map(Run::rate)),
        latency(runs.stream().map(Run::latency).filter(Objects::nonNull).toList()),
        medians(runs.stream().map(Run::cpuMicros)),
        Maps.transformValues(medians(runs.stream().map(Run::residentBytes)), Double::longValue),
        medians(runs.stream().map(Run::figures)),
        runs.get(0).facts());
  }

  private static @Nullable Latency latency(List<Latency> all) {
    return all.isEmpty()
        ? null
        : new Latency(
            all.get(0).count(),
            median(all.stream().map(Latency::averageMillis)),
            median(all.stream().map(Latency::p50Millis)),
            median(all.stream().map(Latency::p75Millis)),
            median(all.stream().map(Latency::p95Millis)),
            median(all.stream().map(Latency::p99Millis)),
            median(all.stream().map(Latency::maxMillis)));
  }

  private static Map<String, Double> medians(Stream<? extends Map<String, ? extends Number>> all) {
    ListMultimap<String, Number> values = LinkedListMultimap.create();
    all.forEach(each -> each.forEach(values::put));
    return Maps.transformValues(Multimaps.asMap(values), each -> Quantiles.median().compute(each));
  }

  private static double median(Stream<Double> values) {
    return Quantiles.median().compute(values.toList());
  }
}
