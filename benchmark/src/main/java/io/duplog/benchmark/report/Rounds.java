package io.duplog.benchmark.report;

import com.google.common.collect.HashBasedTable;
import com.google.common.collect.Table;
import io.duplog.benchmark.measure.Reconciliation;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Stream;

/**
 * Runs that were made in rounds, each of which has every run once. The name of such a run ends with
 * the round's number; one without a number is of a round of its own.
 */
public final class Rounds {
  private static final String NUMBER = " #";

  private final Table<String, String, Run> byRound = HashBasedTable.create();
  private final Map<String, List<Run>> byName = new LinkedHashMap<>();

  private Rounds() {}

  /** What a run is called in a round. */
  public static String name(String run, int round) {
    return run + NUMBER + round;
  }

  static Rounds of(List<Run> runs) {
    Rounds rounds = new Rounds();
    for (Run run : runs) {
      int end = run.variant().lastIndexOf(NUMBER);
      String name = end < 0 ? run.variant() : run.variant().substring(0, end);
      rounds.byRound.put(end < 0 ? "" : run.variant().substring(end), name, run);
      rounds.byName.computeIfAbsent(name, any -> new ArrayList<>()).add(run);
    }
    return rounds;
  }

  /** The runs of each round by their name. */
  Collection<Map<String, Run>> all() {
    return byRound.rowMap().values();
  }

  /**
   * One run a name, which has the medians of all of that name: without latency and facts, and with
   * the sums of what was counted.
   */
  List<Run> medians() {
    return byName.entrySet().stream().map(runs -> median(runs.getKey(), runs.getValue())).toList();
  }

  private static Run median(String name, List<Run> runs) {
    return new Run(
        name,
        runs.stream().map(Run::counts).reduce(Rounds::sum).orElseThrow(),
        Spread.of(runs.stream().map(Run::rate).toList()).median(),
        null,
        medians(runs, Run::cpuMicros),
        Map.of(),
        medians(runs, Run::figures),
        Map.of());
  }

  private static Map<String, Double> medians(
      List<Run> runs, Function<Run, Map<String, Double>> numbers) {
    Set<String> names = new LinkedHashSet<>();
    runs.forEach(run -> names.addAll(numbers.apply(run).keySet()));
    Map<String, Double> medians = new LinkedHashMap<>();
    for (String name : names) {
      Stream<Double> all = runs.stream().map(run -> numbers.apply(run).get(name));
      medians.put(name, Spread.of(all.filter(Objects::nonNull).toList()).median());
    }
    return medians;
  }

  private static Reconciliation sum(Reconciliation a, Reconciliation b) {
    return new Reconciliation(
        a.sent() + b.sent(),
        a.copies() + b.copies(),
        a.delivered() + b.delivered(),
        a.lost() + b.lost(),
        a.duplicated() + b.duplicated(),
        a.corrupted() + b.corrupted());
  }
}
