package io.duplog.benchmark.soak;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/** What the runs of both builds have brought so far. For one thread. */
final class SoakOutcomes {
  private final Map<Side, List<Outcome>> outcomes = new EnumMap<>(Side.class);

  /** Messages that warm-up runs lost: they are no sample, and yet a loss. */
  private final Map<Side, Long> lostWarmingUp = new EnumMap<>(Side.class);

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

  long sent(Side side) {
    return of(side).stream().mapToLong(Outcome::sent).sum();
  }

  /** A sample of each run that has the figure and in which it is not zero, in their order. */
  List<Double> samples(Side side, Figure figure) {
    return of(side).stream()
        .map(outcome -> outcome.figures().getOrDefault(figure, 0.0))
        .filter(sample -> sample > 0)
        .toList();
  }

  /**
   * Compares every figure that each run of both builds has, and that is not zero in any.
   *
   * @throws SoakException if there is none
   */
  List<BuildComparison> comparisons() throws SoakException {
    int runs = of(Side.A).size();
    List<Figure> figures =
        of(Side.A).stream()
            .flatMap(outcome -> outcome.figures().keySet().stream())
            .distinct()
            .filter(figure -> samples(Side.A, figure).size() == runs)
            .filter(figure -> samples(Side.B, figure).size() == runs)
            .sorted(Figure.ORDER)
            .toList();
    if (runs < 2 || figures.isEmpty()) {
      throw new SoakException("no figure is in every run of both builds: nothing to compare");
    }
    return figures.stream()
        .map(
            figure ->
                BuildComparison.of(
                    figure, samples(Side.A, figure), samples(Side.B, figure), figures.size()))
        .toList();
  }
}
