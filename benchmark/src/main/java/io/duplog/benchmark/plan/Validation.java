package io.duplog.benchmark.plan;

import io.duplog.benchmark.plan.Costs.Traffic;
import io.duplog.benchmark.report.Numbers;
import java.util.ArrayList;
import java.util.List;

/**
 * Compares predictions from costs with recorded runs that the costs were not learned from.
 *
 * @param compared runs that the plan covers
 * @param leftOut names of the other runs, each with the reason
 */
record Validation(List<Compared> compared, List<String> leftOut) {
  /** Largest accepted deviation of a prediction, as a fraction of the measured value. */
  private static final double TOLERANCE = 0.2;

  /** The predicted and the measured value of one figure. */
  record Pair(double foretold, double measured) {
    /** Returns the prediction's deviation as a fraction of the measured value. */
    double deviation() {
      return foretold / measured - 1;
    }

    @Override
    public String toString() {
      return "%10s %10s %+5.0f %%"
          .formatted(Numbers.text(measured), Numbers.text(foretold), 100 * deviation());
    }
  }

  /**
   * Comparison of one run.
   *
   * @param pairs processor time a message in µs, of all processes but the generator; then messages
   *     a second, unless the load kept to a schedule or the run was not at the machine's limit
   */
  record Compared(String name, List<Pair> pairs) {
    boolean isWithin() {
      return pairs.stream().allMatch(pair -> Math.abs(pair.deviation()) <= TOLERANCE);
    }
  }

  static Validation of(Costs costs, List<RecordedRun> runs) {
    List<Compared> compared = new ArrayList<>();
    List<String> leftOut = new ArrayList<>();
    for (RecordedRun run : runs) {
      String reason = run.leftOut(costs);
      if (reason.isEmpty()) {
        compared.add(compare(costs, run));
      } else {
        leftOut.add(run.name() + ": " + reason);
      }
    }
    return new Validation(compared, leftOut);
  }

  private static Compared compare(Costs costs, RecordedRun run) {
    Traffic traffic = run.traffic();
    double servers = costs.ofDuplog(traffic) + costs.of(Costs.SINK, traffic);
    double all = servers + costs.of(Costs.GENERATOR, traffic);
    List<Pair> pairs = new ArrayList<>();
    pairs.add(new Pair(servers, run.run().cpuMicrosWithoutGenerator()));
    if (!run.isPaced() && run.isAtItsLimit()) {
      // The generator is not limited to some cores, but shares the machine with the servers.
      double most = Math.min(run.cores() / servers, run.machineCores() / all);
      pairs.add(new Pair(costs.busy() * most * Layout.MICROS_A_SECOND, run.run().rate()));
    }
    return new Compared(run.name(), pairs);
  }

  /** Whether at least one run was compared, and every prediction was close enough. */
  boolean isSound() {
    return !compared.isEmpty() && compared.stream().allMatch(Compared::isWithin);
  }

  /** Formats the comparison as text for a terminal. */
  String page() {
    String heads = "%-44s %10s %10s %7s   %10s %10s %7s\n";
    StringBuilder page =
        new StringBuilder(
            heads.formatted(
                "run", "µs a msg", "foretold", "off by", "messages/s", "foretold", "off by"));
    for (Compared each : compared) {
      page.append("%-44s".formatted(each.name()));
      each.pairs().forEach(pair -> page.append("   ").append(pair));
      page.append(each.isWithin() ? "\n" : "   TOO FAR\n");
    }
    leftOut.forEach(each -> page.append("left out, ").append(each).append('\n'));
    long within = compared.stream().filter(Compared::isWithin).count();
    return page
        + (compared.isEmpty()
            ? "nothing to compare"
            : "%d of %d runs within %s"
                .formatted(within, compared.size(), PlanFigure.percent(TOLERANCE)));
  }
}
