package io.duplog.benchmark.soak;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** What the runs of both builds have brought so far. For one thread. */
final class Samples {
  private static final List<String> NAMES =
      List.of("rate", "cpu total", "cpu ours, relative", "latency avg", "latency p99");

  /** The figures of a whole, then those of its parts, variant by variant. */
  static final Comparator<Figure> ORDER =
      Comparator.comparing(Figure::variant)
          .thenComparing(figure -> NAMES.contains(figure.name()) ? NAMES.indexOf(figure.name()) : 9)
          .thenComparing(Figure::name);

  private final Map<Side, List<Outcome>> outcomes = new EnumMap<>(Side.class);

  /** Messages that warm-up runs lost: not a sample, and yet a loss. */
  private final Map<Side, Long> lostWarmingUp = new EnumMap<>(Side.class);

  /** Whether it is not that of a single process. */
  static boolean isOfTheWhole(Figure figure) {
    return NAMES.contains(figure.name());
  }

  void add(Side side, Outcome outcome) {
    of(side).add(outcome);
  }

  void addWarmUp(Side side, Outcome outcome) {
    lostWarmingUp.merge(side, outcome.lost(), Long::sum);
  }

  private List<Outcome> of(Side side) {
    return outcomes.computeIfAbsent(side, any -> new ArrayList<>());
  }

  /** Messages that were lost or altered, in all runs of this build. */
  long lost(Side side) {
    return of(side).stream().mapToLong(Outcome::lost).sum() + lostWarmingUp.getOrDefault(side, 0L);
  }

  long lost() {
    return lost(Side.A) + lost(Side.B);
  }

  long sent(Side side) {
    return of(side).stream().mapToLong(Outcome::sent).sum();
  }

  /** One of each run, in the order of the runs. */
  double[] of(Side side, Figure figure) {
    return of(side).stream()
        .map(outcome -> outcome.figures().get(figure))
        .filter(sample -> sample != null)
        .mapToDouble(Double::doubleValue)
        .toArray();
  }

  /**
   * Compares every figure that each run of both builds has, and that is not zero throughout.
   *
   * @throws SoakException if there is none
   */
  List<Verdict> verdicts() throws SoakException {
    Map<Figure, Comparison> comparisons = new LinkedHashMap<>();
    for (Figure figure : figures()) {
      double[] a = of(Side.A, figure);
      double[] b = of(Side.B, figure);
      boolean complete = a.length == of(Side.A).size() && b.length == of(Side.B).size();
      if (complete && a.length > 1 && b.length > 1) {
        Summary ofA = Summary.of(a);
        Summary ofB = Summary.of(b);
        if (ofA.max() != 0 || ofB.max() != 0) {
          comparisons.put(figure, Comparison.of(ofA, ofB));
        }
      }
    }
    if (comparisons.isEmpty()) {
      throw new SoakException("no figure is in every run of both builds: nothing to compare");
    }
    return Verdict.of(comparisons);
  }

  private List<Figure> figures() {
    Set<Figure> figures = new LinkedHashSet<>();
    outcomes.values().forEach(all -> all.forEach(each -> figures.addAll(each.figures().keySet())));
    return figures.stream().sorted(ORDER).toList();
  }
}
