package io.duplog.benchmark.plan;

import io.duplog.benchmark.plan.Costs.Traffic;
import io.duplog.benchmark.report.Numbers;
import java.util.ArrayList;
import java.util.List;

/**
 * Compares the predictions of {@code plan} with recorded benchmark runs.
 *
 * @param compared runs that the plan covers
 * @param omitted names of the other runs, each with the reason
 */
record Validation(List<RunComparison> compared, List<String> omitted) {
  /** Maximum accepted deviation of a prediction, as a fraction of the measured value. */
  private static final double MAX_DEVIATION = 0.2;

  /** The predicted and the measured value of one figure. */
  record Pair(double predicted, double measured) {
    /** Returns the prediction's deviation as a fraction of the measured value. */
    double deviation() {
      return predicted / measured - 1;
    }

    @Override
    public String toString() {
      return "%10s %10s %+5.0f %%"
          .formatted(Numbers.text(measured), Numbers.text(predicted), 100 * deviation());
    }
  }

  /**
   * Comparison of one run.
   *
   * @param pairs processor time per message in µs, of all processes but the generator; then
   *     messages per second, if the run was at the machine's limit and its load followed no
   *     schedule
   */
  record RunComparison(String name, List<Pair> pairs) {
    boolean isAccurate() {
      return pairs.stream().allMatch(pair -> Math.abs(pair.deviation()) <= MAX_DEVIATION);
    }
  }

  static Validation of(Costs costs, List<RecordedRun> runs) {
    List<RunComparison> compared = new ArrayList<>();
    List<String> omitted = new ArrayList<>();
    for (RecordedRun run : runs) {
      String reason = run.omissionReason(costs);
      if (reason.isEmpty()) {
        compared.add(compare(costs, run));
      } else {
        omitted.add(run.name() + ": " + reason);
      }
    }
    return new Validation(compared, omitted);
  }

  private static RunComparison compare(Costs costs, RecordedRun run) {
    Traffic traffic = run.traffic();
    double serverMicros = costs.duplogMicros(traffic) + costs.micros(Costs.SINK, traffic);
    double allMicros = serverMicros + costs.micros(Costs.GENERATOR, traffic);
    List<Pair> pairs = new ArrayList<>();
    pairs.add(new Pair(serverMicros, run.run().cpuMicrosWithoutGenerator()));
    if (!run.isPaced() && run.isAtItsLimit()) {
      // The generator is not limited to some cores, but shares the machine with the servers.
      double maxMessagesPerMicro =
          Math.min(run.cores() / serverMicros, run.machineCores() / allMicros);
      pairs.add(
          new Pair(
              costs.busy() * maxMessagesPerMicro * Layout.MICROS_PER_SECOND, run.run().rate()));
    }
    return new RunComparison(run.name(), pairs);
  }

  /** Whether at least one run was compared, and every prediction was close enough. */
  boolean isAccurate() {
    return !compared.isEmpty() && compared.stream().allMatch(RunComparison::isAccurate);
  }

  /** Formats the comparison as text for a terminal. */
  String page() {
    String heads = "%-44s %10s %10s %7s   %10s %10s %7s\n";
    StringBuilder page =
        new StringBuilder(
            heads.formatted(
                "run", "µs a msg", "predicted", "off by", "messages/s", "predicted", "off by"));
    for (RunComparison each : compared) {
      page.append("%-44s".formatted(each.name()));
      each.pairs().forEach(pair -> page.append("   ").append(pair));
      page.append(each.isAccurate() ? "\n" : "   TOO FAR\n");
    }
    omitted.forEach(each -> page.append("not compared: ").append(each).append('\n'));
    long accurateRuns = compared.stream().filter(RunComparison::isAccurate).count();
    return page
        + (compared.isEmpty()
            ? "nothing to compare"
            : "%d of %d runs within %s"
                .formatted(accurateRuns, compared.size(), PlanFigure.percent(MAX_DEVIATION)));
  }
}
