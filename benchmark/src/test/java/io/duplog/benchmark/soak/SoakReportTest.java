package io.duplog.benchmark.soak;

import static org.assertj.core.api.Assertions.assertThat;

import io.duplog.benchmark.report.JsonTree;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SoakReportTest {
  @TempDir private Path folder;

  private static SoakPlan plan() {
    Build a = Build.in(Path.of("/builds/a"), "v1", "/builds/a");
    Build b = Build.in(Path.of("/builds/b"), "v2", "/builds/b");
    return new SoakPlan(
        List.of("duplog", "--seconds", "5"),
        Map.of(Side.A, a, Side.B, b),
        Map.of(Side.A, "aaa", Side.B, "bbb"),
        1,
        4,
        7);
  }

  private static Samples samples(double factor, long lost) {
    Samples samples = new Samples();
    for (double rate : new double[] {1000, 1010, 1020, 1030}) {
      samples.add(Side.A, new Outcome(Map.of(Figure.rate("x"), rate), 500, 0));
      samples.add(Side.B, new Outcome(Map.of(Figure.rate("x"), rate * factor), 500, lost));
    }
    return samples;
  }

  private static SoakReport report(Samples samples) throws SoakException {
    return new SoakReport(plan(), samples, samples.verdicts());
  }

  @Test
  void change_isNamed_withItsSizeAndConfidence() throws Exception {
    SoakReport report = report(samples(0.9, 0));
    assertThat(report.conclusion())
        .isEqualTo(
            """
            B differs from A: x: rate -10.0 % (worse, > 99.99 %).
            Nothing was lost or altered (A 2,000 messages, B 2,000).\
            """);
    assertThat(report.summary())
        .contains("A: v1 (/builds/a), jars aaa\n", "x: rate ", "-10.0 %", "worse");
  }

  @Test
  void noChange_isSaidSo() throws Exception {
    assertThat(report(samples(0.96, 0)).conclusion())
        .startsWith("No change: by none of 1 figures does B differ by 5 % or more");
  }

  @Test
  void loss_isSaidLoudly() throws Exception {
    assertThat(report(samples(1, 2)).conclusion())
        .contains("LOST OR ALTERED: A 0 of 2,000 messages, B 8 of 2,000.");
  }

  @Test
  void page_hasBothTables_andTheRules() throws Exception {
    assertThat(report(samples(0.9, 0)).markdown())
        .contains(
            "# A against B: `duplog --seconds 5`",
            "| x: rate | messages/s | 1,015 | 913.5 | -101.5 | -10.0 % | > 99.99 % |",
            "| x: rate | A | 4 | 1,015 | 12.9 | 1,000 | 1,015 | 1,027 | 1,029 | 1,030 | 1,030 |"
                + " 0.000 | 6.455 | 0 | 1.3 % |",
            "Tukey's fences",
            "where it exceeds 10.0 % in a build");
  }

  @Test
  void json_hasEverySample_andNullForWhatIsNoNumber() throws Exception {
    Samples samples = samples(0, 0); // B is 0 throughout: no skewness
    Path file = folder.resolve("soak.json");
    SoakJson.write(file, plan(), samples, samples.verdicts());

    assertThat(JsonTree.read(file)).isInstanceOf(Map.class);
    assertThat(Files.readString(file))
        .contains(
            "\"scenario\" : \"duplog --seconds 5\"",
            "\"samples\" : [ 1000.0, 1010.0, 1020.0, 1030.0 ]",
            "\"skewness\" : null",
            "\"delta_mean_share\" : -1.0",
            "\"changed\" : true");
  }
}
