package io.duplog.benchmark.soak;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * What is to be said about one figure.
 *
 * @param adjusted the confidence that is left after so many figures were looked at
 */
record Verdict(Figure figure, Comparison comparison, double adjusted) {
  /** A change that is less sure is not reported. */
  static final double LEAST_CONFIDENCE = 0.95;

  /** A change that is less is not reported, however sure. */
  static final double LEAST_CHANGE = 0.05;

  /**
   * Judges all figures of a soak together. One of twenty comparisons of equal builds would seem a
   * change at 95 %; so the confidences are adjusted by Holm's method, by which such a thing happens
   * in one of twenty soaks instead. It lowers confidences only: whoever reads "changed" may rely on
   * 95 % by itself.
   */
  static List<Verdict> of(Map<Figure, Comparison> comparisons) {
    List<Map.Entry<Figure, Comparison>> surestFirst = new ArrayList<>(comparisons.entrySet());
    surestFirst.sort(Comparator.comparingDouble(entry -> -entry.getValue().confidence()));
    Map<Figure, Double> adjusted = new HashMap<>();
    double worst = 0;
    for (int i = 0; i < surestFirst.size(); i++) {
      double chance = 1 - surestFirst.get(i).getValue().confidence();
      worst = Math.max(worst, Math.min(1, chance * (surestFirst.size() - i)));
      adjusted.put(surestFirst.get(i).getKey(), 1 - worst);
    }
    return comparisons.entrySet().stream()
        .map(
            entry ->
                new Verdict(
                    entry.getKey(), entry.getValue(), adjusted.getOrDefault(entry.getKey(), 0.0)))
        .toList();
  }

  /** Whether the builds differ: surely enough, and enough. */
  boolean isChange() {
    return adjusted >= LEAST_CONFIDENCE && Math.abs(comparison.deltaShare()) >= LEAST_CHANGE;
  }

  /** For a table: what changed, or nothing. */
  String words() {
    String change = isChange() ? figure.judge(comparison.delta()) : "";
    if (!comparison.isErratic()) {
      return change;
    }
    return change.isEmpty() ? "erratic" : change + ", erratic";
  }
}
