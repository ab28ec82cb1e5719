package io.duplog.benchmark.report;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.common.base.Splitter;
import com.google.common.collect.Lists;
import io.duplog.benchmark.measure.Latency;
import io.duplog.benchmark.measure.Reconciliation;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Tests that the page of all results shows the medians of ratios within rounds, and whether each
 * goal is met.
 */
class ResultsPageTest {
  /** The round whose runs lost messages. */
  private static final int LOSS_ROUND = 9;

  private @TempDir Path folder;

  private static Run run(String name, int round, double rate, double cpu, double p99) {
    return new Run(
        Rounds.name(name, round),
        new Reconciliation(9, 18, 9, round == LOSS_ROUND ? 9 : 0, 0, 0),
        rate,
        new Latency(9, 15, 1, 2, 3, p99, 5),
        Map.of("generator", 70.0, "bridge", cpu - 0.5, "shim", 0.5),
        Map.of(),
        Map.of("made again", 1.0, "SHA-256 MB/s", 200.0 + round, Run.COMPILERS, 2.0),
        Map.of());
  }

  @Test
  void text_severalRounds_comparesMedianOfRatiosWithinRounds() throws Exception {
    List<Run> runs =
        Lists.newArrayList(
            run("two syslog-ng to HEC", 1, 10_000, 1, 1),
            run("pair, unconfirmed", 1, 20_000, 1, 1),
            run("pair, unconfirmed", 2, 30_000, 1, 1),
            run("two syslog-ng to HEC", 2, 10_000, 1, 1),
            run("two syslog-ng to HEC", 3, 1_000, 1, 1),
            run("pair, unconfirmed", 3, 4_000, 1, 1),
            run("pair, confirmed", 4, 4_000, 1, 1),
            run("pair, bulk", 4, 4_000, 9, 1),
            // A run that lost messages has no ratio.
            run("two syslog-ng to HEC", LOSS_ROUND, 1_000, 1, 1),
            run("pair, unconfirmed", LOSS_ROUND, 90_000, 1, 1));
    for (int round = 1; round <= 2; round++) {
      runs.add(run("full load", round, 100, 10, 1));
      runs.add(run("50 % of the load", round, 50, 15 + round, 98 + round));
    }
    Map<String, String> machine = Map.of("build", "1234abcd", "made", "2026-11-23");
    new ScenarioReport("ratios", "{{results}}", machine, runs, List.of()).write(folder);

    String page = ResultsPage.text(folder, List.of("ratios", "sc4s"));

    assertThat(page)
        .contains("(800 bytes, HEC) | ≥ 2.50 times | 3 | 2 to 4 | 3 | yes |")
        .contains("shims and bridges a message | ≤ 10 µs | 9 | 9 to 9 | 1 | yes |")
        .contains("at 50 % against full load | ≤ 1.50 times | 1.65 | 1.60 to 1.70 | 2 | **no** |")
        .contains("without Java's compilers | times | 1.81 | 1.75 to 1.88 | 2 |  |")
        .contains("at 50 %, p99 | ≤ 100 ms | 99.5 | 99 to 100 | 2 | yes |")
        .contains("two syslog-ng in memory | ≥ 1.50 times |  |  | 0 | not measured |")
        .contains("| pair, unconfirmed | 25,000 | 9 | 0 | 1 | ")
        .contains("| SHA-256 MB/s | 202 | 201 to 209 |")
        .contains("/ratios.md) | 1234abcd | 2026-11-23 | ? | ? |")
        .contains("Made again: 14 labs. Still\n  spoilt at the last attempt: 0.")
        .contains("![ratios](" + folder.getFileName() + "/ratios.svg)")
        .doesNotContain("sc4s.svg", "{{");
    assertThat(Splitter.on('\n').splitToList(page)).hasSizeLessThan(110);
  }

  @Test
  void text_noResults_showsGoalsAsNotMeasured() throws Exception {
    assertThat(ResultsPage.text(folder, List.of())).contains("not measured |").doesNotContain("{{");
    assertThat(folder).isEmptyDirectory();
  }

  @Test
  void status_noLimitOrZeroLimit_isEmptyOrComparedWithZero() {
    Goal.Figure rate = new Goal.Figure("a", "rate");
    assertThat(new Goal("a", null, null, "times", rate, null, null).status(1)).isEmpty();
    Goal zero = new Goal("a", null, 0.0, "s", rate, null, null);
    assertThat(List.of(zero.limit(), zero.status(0), zero.status(1)))
        .containsExactly("≤ 0 s", "yes", "**no**");
  }
}
