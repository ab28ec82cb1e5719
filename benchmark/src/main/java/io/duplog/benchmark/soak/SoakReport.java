package io.duplog.benchmark.soak;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;

/** A soak's result for people: as a summary for a terminal, and as a page. */
final class SoakReport {
  private static final Map<String, Function<Summary, String>> COLUMNS = columns();

  private final SoakPlan plan;
  private final Samples samples;
  private final List<Verdict> verdicts;

  SoakReport(SoakPlan plan, Samples samples, List<Verdict> verdicts) {
    this.plan = plan;
    this.samples = samples;
    this.verdicts = verdicts;
  }

  private static Map<String, Function<Summary, String>> columns() {
    Map<String, Function<Summary, String>> columns = new LinkedHashMap<>();
    columns.put("runs", summary -> Integer.toString(summary.count()));
    columns.put("mean", summary -> Numbers.text(summary.mean()));
    columns.put("deviation", summary -> Numbers.text(summary.deviation()));
    columns.put("min", summary -> Numbers.text(summary.min()));
    columns.put("median", summary -> Numbers.text(summary.median()));
    columns.put("p90", summary -> Numbers.text(summary.p90()));
    columns.put("p95", summary -> Numbers.text(summary.p95()));
    columns.put("p99", summary -> Numbers.text(summary.p99()));
    columns.put("max", summary -> Numbers.text(summary.max()));
    columns.put("skewness", summary -> Numbers.text(summary.skewness()));
    columns.put("standard error", summary -> Numbers.text(summary.standardError()));
    columns.put("outliers", summary -> Integer.toString(summary.outliers()));
    columns.put("CoV", summary -> Numbers.percent(summary.coefficientOfVariation()));
    return columns;
  }

  /** For a terminal. */
  String summary() {
    String columns = "%-28s %12s %12s %9s %10s %10s %7s %7s  %s%n";
    StringBuilder text = new StringBuilder();
    for (Side side : Side.values()) {
      text.append(plan.line(side)).append('\n');
    }
    text.append(
        columns.formatted(
            "figure", "A", "B", "change", "confid.", "adjusted", "CoV A", "CoV B", ""));
    for (Verdict verdict : verdicts) {
      Comparison pair = verdict.comparison();
      text.append(
          columns.formatted(
              verdict.figure().title(),
              Numbers.text(pair.a().mean()),
              Numbers.text(pair.b().mean()),
              Numbers.change(pair.deltaShare()),
              Numbers.confidence(pair.confidence()),
              Numbers.confidence(verdict.adjusted()),
              Numbers.percent(pair.a().coefficientOfVariation()),
              Numbers.percent(pair.b().coefficientOfVariation()),
              verdict.words()));
    }
    return text + "\n" + conclusion();
  }

  /** In a sentence or two. */
  String conclusion() {
    List<Verdict> changes = verdicts.stream().filter(Verdict::isChange).toList();
    String result =
        changes.isEmpty()
            ? "No change: by none of %d figures does B differ by 5 %% or more with 95 %% confidence."
                .formatted(verdicts.size())
            : "B differs from A: "
                + changes.stream().map(SoakReport::change).collect(Collectors.joining("; "))
                + ".";
    return result + "\n" + losses();
  }

  private static String change(Verdict verdict) {
    return "%s %s (%s, %s)"
        .formatted(
            verdict.figure().title(),
            Numbers.change(verdict.comparison().deltaShare()),
            verdict.words(),
            Numbers.confidence(verdict.adjusted()));
  }

  private String losses() {
    if (samples.lost() == 0) {
      return "Nothing was lost or altered (A %,d messages, B %,d)."
          .formatted(samples.sent(Side.A), samples.sent(Side.B));
    }
    return "LOST OR ALTERED: A %,d of %,d messages, B %,d of %,d. That is a defect, whatever the speed."
        .formatted(
            samples.lost(Side.A), samples.sent(Side.A), samples.lost(Side.B), samples.sent(Side.B));
  }

  /** A whole page. */
  String markdown() {
    return """
        # A against B: `%s`

        %s

        - %s
        - %s
        - %d runs of each after %d to warm up, interleaved (ABBA), seed %d
        - Java %s, %d processors, %s %s

        | figure | unit | A | B | Δ mean | Δ mean %% | confidence | adjusted | standard error of Δ | |
        |---|---|--:|--:|--:|--:|--:|--:|--:|---|
        %s
        ## The samples, one a run

        | figure | build | %s |
        |---|---|%s
        %s
        ## How to read this

        - A change is reported where the adjusted confidence is at least 95 %% and the means differ by
          at least 5 %%.
        - Confidence: 1 - p of Welch's two-sided t-test. Adjusted: by Holm's method for as many
          figures as were compared; it is never higher.
        - Outliers: samples beyond Tukey's fences, 1.5 interquartile ranges from the middle half. They
          are counted, not removed.
        - Relative: the processor time of a build's programs by that of the programs which belong to
          neither build (generator, rsyslog, broker, sink). Where the machine's host has other work, all
          of them are slower, and the relative figures scatter least.
        - CoV: deviation by mean. A figure is erratic where it exceeds %s in a build.
        - Deviation with n - 1; percentiles interpolated between samples; skewness G1 (adjusted
          Fisher-Pearson).
        """
        .formatted(
            String.join(" ", plan.scenario()),
            conclusion(),
            plan.line(Side.A),
            plan.line(Side.B),
            plan.runs(),
            plan.warmUpRuns(),
            plan.seed(),
            Runtime.version(),
            Runtime.getRuntime().availableProcessors(),
            System.getProperty("os.name"),
            System.getProperty("os.version"),
            verdicts.stream().map(SoakReport::pairLine).collect(Collectors.joining()),
            String.join(" | ", COLUMNS.keySet()),
            "--:|".repeat(COLUMNS.size()),
            verdicts.stream().map(SoakReport::sampleLines).collect(Collectors.joining()),
            Numbers.percent(Comparison.ERRATIC_FROM));
  }

  private static String pairLine(Verdict verdict) {
    Comparison pair = verdict.comparison();
    return cells(
        verdict.figure().title(),
        verdict.figure().unit(),
        Numbers.text(pair.a().mean()),
        Numbers.text(pair.b().mean()),
        Numbers.difference(pair.delta()),
        Numbers.change(pair.deltaShare()),
        Numbers.confidence(pair.confidence()),
        Numbers.confidence(verdict.adjusted()),
        Numbers.text(pair.standardError()),
        verdict.words());
  }

  private static String sampleLines(Verdict verdict) {
    return sampleLine(verdict.figure(), Side.A, verdict.comparison().a())
        + sampleLine(verdict.figure(), Side.B, verdict.comparison().b());
  }

  private static String sampleLine(Figure figure, Side side, Summary summary) {
    return cells(
        figure.title(),
        side.toString(),
        COLUMNS.values().stream()
            .map(column -> column.apply(summary))
            .collect(Collectors.joining(" | ")));
  }

  private static String cells(String... texts) {
    return "| " + String.join(" | ", texts) + " |\n";
  }
}
