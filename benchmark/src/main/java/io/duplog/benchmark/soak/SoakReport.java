package io.duplog.benchmark.soak;

import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonUnwrapped;
import io.duplog.benchmark.report.Markdown;
import io.duplog.benchmark.report.Numbers;
import io.duplog.rig.LabException;
import java.util.List;
import java.util.stream.Collectors;

/**
 * The report of {@code soak} as a page and as JSON: which figures of the two builds differ. The
 * JSON has fractions instead of percentages.
 *
 * @param changed whether the builds differ
 * @param figures the comparison of each figure, with every sample
 */
record SoakReport(
    @JsonUnwrapped SoakPlan plan,
    @JsonProperty("of_a") SoakOutcomes.Traffic trafficA,
    @JsonProperty("of_b") SoakOutcomes.Traffic trafficB,
    boolean changed,
    List<BuildComparison> figures) {

  /**
   * Compares the outcomes.
   *
   * @throws LabException if there is nothing to compare
   */
  static SoakReport of(SoakPlan plan, SoakOutcomes outcomes) throws LabException {
    List<BuildComparison> figures = outcomes.comparisons();
    return new SoakReport(
        plan,
        outcomes.traffic(Side.A),
        outcomes.traffic(Side.B),
        figures.stream().anyMatch(BuildComparison::isChange),
        figures);
  }

  boolean isWhole() {
    return trafficA.lost() + trafficB.lost() == 0;
  }

  /** Formats the result in one or two sentences. */
  String conclusion() {
    String result =
        figures.stream()
            .filter(BuildComparison::isChange)
            .map(each -> "%s %s (%s)".formatted(each.figure(), each.text(), each.verdict()))
            .collect(Collectors.joining("; ", "B differs from A: ", "."));
    if (!changed) {
      result =
          "No change: none of %d figures differs by 5 %% or more with 95 %% confidence."
              .formatted(figures.size());
    }
    return result
        + (isWhole()
            ? "\nNo message was lost or altered (A %,d messages, B %,d)."
                .formatted(trafficA.sent(), trafficB.sent())
            : "\nLOST OR ALTERED: A %,d of %,d messages, B %,d of %,d. That is a defect, independent of the speed."
                .formatted(trafficA.lost(), trafficA.sent(), trafficB.lost(), trafficB.sent()));
  }

  private static String mean(List<Double> samples) {
    return Numbers.text(samples.stream().mapToDouble(Double::doubleValue).average().orElse(0));
  }

  /** Returns the report as a page in Markdown. */
  String markdown() {
    return """
    # A against B: `%s`

    %s

    - A: %s
    - B: %s
    - %d runs of each after one warm-up run, interleaved (ABBA)
    - Java %s, %d processors, %s %s

    %s
    ## How to read this

    - A and B: the means of their runs, in messages/s, µs per message or ms. Relative: the processor
      time of a build's programs, divided by that of the programs that belong to neither build
      (generator, rsyslog, broker, sink).
    - Each run of B is divided by the adjacent run of A: if the machine's host has other work,
      both are slower. The change is the geometric mean of these ratios. It is followed by its
      confidence interval, which holds with 95 %% for all figures together.
    - A change is reported if its whole interval is on one side of zero, and it is at least 5 %%.
    """
        .formatted(
            String.join(" ", plan.scenario()),
            conclusion(),
            plan.a(),
            plan.b(),
            plan.runs(),
            Runtime.version(),
            Runtime.getRuntime().availableProcessors(),
            System.getProperty("os.name"),
            System.getProperty("os.version"),
            Markdown.table(
                List.of("figure", "A", "B", "change, confidence interval", ""),
                figures.stream()
                    .map(
                        each ->
                            List.of(
                                each.figure(),
                                mean(each.a()),
                                mean(each.b()),
                                each.text(),
                                each.verdict()))
                    .toList()));
  }
}
