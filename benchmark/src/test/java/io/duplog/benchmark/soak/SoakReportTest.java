package io.duplog.benchmark.soak;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.duplog.benchmark.report.Json;
import io.duplog.rig.LabException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SoakReportTest {
  private static final SoakPlan PLAN =
      new SoakPlan(
          List.of("duplog", "--seconds", "5"),
          new Build("v1", "/builds/a", Path.of("/builds/a"), "aaa"),
          new Build("v2", "/builds/b", Path.of("/builds/b"), "bbb"),
          4);

  private static SoakReport report(double factor, long lost) throws LabException {
    SoakOutcomes outcomes = new SoakOutcomes();
    for (double rate : new double[] {5, 1000, 1010, 1020, 1030}) {
      outcomes.add(Side.A, new Outcome(Map.of("x: rate", rate), 500, 0));
      outcomes.add(Side.B, new Outcome(Map.of("x: rate", rate * factor), 500, lost));
    }
    return SoakReport.of(PLAN, outcomes);
  }

  @Test
  void change_isNamed_withItsSizeAndInterval() throws Exception {
    SoakReport report = report(0.9, 0);
    assertThat(report.conclusion())
        .isEqualTo(
            """
            B differs from A: x: rate -10.0 %, -10.0 % to -10.0 % (worse).
            Nothing was lost or altered (A 2,500 messages, B 2,500).\
            """);
    assertThat(report.markdown())
        .contains(
            "# A against B: `duplog --seconds 5`",
            "- B: v2 (/builds/b), jars bbb\n- 4 runs of each after one to warm up",
            "| x: rate | 1,015 | 914 | -10.0 %, -10.0 % to -10.0 % | worse |");
  }

  @Test
  void noChange_andLoss_areSaidSo() throws Exception {
    assertThat(report(0.96, 2).conclusion())
        .startsWith("No change: by none of 1 figures does B differ by 5 % or more")
        .contains("LOST OR ALTERED: A 0 of 2,500 messages, B 10 of 2,500.");
  }

  @Test
  void json_hasThePlan_andEverySample(@TempDir Path folder) throws Exception {
    Path file = folder.resolve("soak.json");
    Json.write(file, report(0.9, 0));
    assertThat(Files.readString(file))
        .contains(
            "\"scenario\" : [ \"duplog\", \"--seconds\", \"5\" ]",
            "\"fingerprint\" : \"bbb\"",
            "\"changed\" : true",
            "\"figure\" : \"x: rate\"",
            "\"a\" : [ 1000.0, 1010.0, 1020.0, 1030.0 ]",
            "\"change\" : -0.");
  }

  @Test
  void figuresThatARunLacks_orThatAreZeroInOne_areNotCompared() throws Exception {
    SoakOutcomes outcomes = new SoakOutcomes();
    outcomes.add(Side.A, new Outcome(Map.of(), 1, 0));
    for (Side side : List.of(Side.B, Side.A, Side.B, Side.B)) {
      outcomes.add(side, new Outcome(Map.of("rate", 5.0, "cpu redis", 0.0, "cpu sink", 1.0), 1, 0));
    }
    outcomes.add(Side.A, new Outcome(Map.of("rate", 5.0, "cpu redis", 2.0), 1, 0));
    assertThat(outcomes.comparisons()).extracting(BuildComparison::figure).containsExactly("rate");
  }

  @Test
  void nothingToCompare_isSaidSo() {
    SoakOutcomes outcomes = new SoakOutcomes();
    outcomes.add(Side.A, new Outcome(Map.of(), 1, 0));
    assertThatThrownBy(outcomes::comparisons).hasMessageContaining("nothing to compare");
  }
}
