package io.duplog.benchmark.soak;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.duplog.benchmark.report.Json;
import io.duplog.rig.LabException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Tests that the report of a comparison of two builds has the right conclusion about their speed
 * and losses.
 */
class SoakReportTest {
  private static final SoakPlan PLAN =
      new SoakPlan(
          List.of("duplog", "--seconds", "5"),
          new Build("v1", "/builds/a", Path.of("/builds/a"), "aaa"),
          new Build("v2", "/builds/b", Path.of("/builds/b"), "bbb"),
          4);

  @TempDir private Path folder;

  private Outcome read(String json) throws LabException, IOException {
    return Outcome.read(Files.writeString(folder.resolve("result.json"), json));
  }

  @Test
  void read_oneRun_hasItsFigures() throws Exception {
    Outcome outcome =
        read(
            """
            {"scenario": "sc4s", "machine": {"cores": 2}, "later": {"tags": ["x"]},
             "runs": [{"variant": "pair", "seconds": 10, "sent": 1000, "delivered": 1000, "lost": 0,
              "duplicated": 3, "corrupted": 0, "rate": 21100.2,
              "latency_ms": {"avg": 12, "p50": 10.0, "p75": 14, "p95": 20, "p99": 31.5, "max": 40},
              "cpu_us_per_message": {"generator": 2, "rsyslog": 6, "redis": 1.5, "bridge": 4.5}}]}
            """);
    assertThat(outcome)
        .hasToString(
            "Outcome[figures={rate=21100.2, cpu total=14.0, cpu ours, relative=0.75,"
                + " latency avg=12.0, latency p99=31.5, cpu generator=2.0, cpu rsyslog=6.0,"
                + " cpu redis=1.5, cpu redis, relative=0.1875, cpu bridge=4.5,"
                + " cpu bridge, relative=0.5625}, sent=1000, lost=0]");
    assertThat(outcome.line()).isEqualTo("rate 21,100");
  }

  @Test
  void read_severalVariants_hasNamesOfVariantsAndSumOfLosses() throws Exception {
    Outcome outcome =
        read(
            """
            {"scenario": "x", "runs": [{"variant": "1 core", "sent": 10, "lost": 1, "rate": 5},
                      {"variant": "2 cores", "sent": 20, "lost": 2, "corrupted": 4, "rate": 9}]}
            """);
    assertThat(outcome)
        .hasToString("Outcome[figures={1 core: rate=5.0, 2 cores: rate=9.0}, sent=30, lost=7]");
    assertThat(outcome.line()).isEqualTo("1 core: rate 5, 2 cores: rate 9; LOST OR ALTERED: 7");
  }

  @Test
  void read_fileWithoutResults_fails() {
    for (String json : new String[] {"", "{", "[]", "{}", "{\"scenario\": \"x\", \"runs\": []}"}) {
      assertThatThrownBy(() -> read(json)).isInstanceOf(LabException.class);
    }
    String run = "{\"scenario\": \"x\", \"runs\": [{\"variant\": \"y\", \"rate\": %s}]}";
    assertThatThrownBy(() -> read(run.formatted("5"))).hasMessageContaining("'lost'");
    assertThatThrownBy(() -> read(run.formatted("0, \"lost\": 0")))
        .hasMessageContaining("delivered no message while it was measured");
    assertThatThrownBy(() -> Outcome.read(folder.resolve("none.json")))
        .isInstanceOf(LabException.class)
        .hasMessageContaining("none.json");
  }

  private static SoakReport report(double factor, long lost) throws LabException {
    SoakOutcomes outcomes = new SoakOutcomes();
    for (double rate : new double[] {5, 1000, 1010, 1020, 1030}) {
      outcomes.add(Side.A, new Outcome(Map.of("x: rate", rate), 500, 0));
      outcomes.add(Side.B, new Outcome(Map.of("x: rate", rate * factor), 500, lost));
    }
    return SoakReport.of(PLAN, outcomes);
  }

  @Test
  void conclusion_change_hasSizeAndInterval() throws Exception {
    SoakReport report = report(0.9, 0);
    assertThat(report.conclusion())
        .isEqualTo(
            """
            B differs from A: x: rate -10.0 %, -10.0 % to -10.0 % (worse).
            No message was lost or altered (A 2,500 messages, B 2,500).\
            """);
    assertThat(report.markdown())
        .contains(
            "# A against B: `duplog --seconds 5`",
            "- B: v2 (/builds/b), jars bbb\n- 4 runs of each after one warm-up run",
            "| x: rate | 1,015 | 914 | -10.0 %, -10.0 % to -10.0 % | worse |");
  }

  @Test
  void conclusion_noChangeButLoss_reportsBoth() throws Exception {
    assertThat(report(0.96, 2).conclusion())
        .startsWith("No change: none of 1 figures differs by 5 % or more")
        .contains("LOST OR ALTERED: A 0 of 2,500 messages, B 10 of 2,500.");
  }

  @Test
  void json_written_hasPlanAndEverySample() throws Exception {
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
  void comparisons_figureMissingOrZeroInOneRun_omitsFigure() throws Exception {
    SoakOutcomes outcomes = new SoakOutcomes();
    outcomes.add(Side.A, new Outcome(Map.of(), 1, 0));
    assertThatThrownBy(outcomes::comparisons).hasMessageContaining("nothing to compare");
    for (Side side : List.of(Side.B, Side.A, Side.B, Side.B)) {
      outcomes.add(side, new Outcome(Map.of("rate", 5.0, "cpu redis", 0.0, "cpu sink", 1.0), 1, 0));
    }
    outcomes.add(Side.A, new Outcome(Map.of("rate", 5.0, "cpu redis", 2.0), 1, 0));
    assertThat(outcomes.comparisons()).extracting(BuildComparison::figure).containsExactly("rate");
  }
}
