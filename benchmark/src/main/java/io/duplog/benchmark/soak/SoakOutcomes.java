package io.duplog.benchmark.soak;

import com.google.common.collect.ListMultimap;
import com.google.common.collect.MultimapBuilder;
import io.duplog.rig.LabException;
import java.util.List;

/**
 * Collects the figures of all runs of both builds, for the report of {@code soak}. Not thread-safe.
 */
final class SoakOutcomes {
  private final ListMultimap<Side, Outcome> outcomesBySide =
      MultimapBuilder.enumKeys(Side.class).arrayListValues().build();

  /** Number of sent and of lost messages in all runs of a build. Altered messages count as lost. */
  record Traffic(long sent, long lost) {}

  /** Adds the outcome of a run. The first run of each build is a warm-up: only its losses count. */
  void add(Side side, Outcome outcome) {
    outcomesBySide.put(side, outcome);
  }

  Traffic traffic(Side side) {
    return new Traffic(
        outcomesBySide.get(side).stream().mapToLong(Outcome::sent).sum(),
        outcomesBySide.get(side).stream().mapToLong(Outcome::lost).sum());
  }

  /**
   * Returns the values of a figure that are above zero, in the order of the runs, without the
   * warm-up's value.
   */
  private List<Double> samples(Side side, String figure) {
    return outcomesBySide.get(side).stream()
        .skip(1)
        .map(outcome -> outcome.figures().getOrDefault(figure, 0.0))
        .filter(sample -> sample > 0)
        .toList();
  }

  /**
   * Compares every figure that is in every run of both builds and never zero.
   *
   * @throws LabException if there is no such figure
   */
  List<BuildComparison> comparisons() throws LabException {
    int runs = outcomesBySide.get(Side.A).size() - 1;
    List<String> figures =
        outcomesBySide.get(Side.A).stream()
            .skip(1)
            .limit(1)
            .flatMap(outcome -> outcome.figures().keySet().stream())
            .filter(figure -> samples(Side.A, figure).size() == runs)
            .filter(figure -> samples(Side.B, figure).size() == runs)
            .toList();
    if (runs < 2 || figures.isEmpty()) {
      throw new LabException("no figure is in every run of both builds: nothing to compare");
    }
    return figures.stream()
        .map(
            figure ->
                BuildComparison.of(
                    figure, samples(Side.A, figure), samples(Side.B, figure), figures.size()))
        .toList();
  }
}
