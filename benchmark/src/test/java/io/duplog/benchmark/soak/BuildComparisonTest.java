package io.duplog.benchmark.soak;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.fasterxml.jackson.databind.JsonNode;
import com.google.common.collect.Streams;
import io.duplog.benchmark.report.Json;
import java.net.URI;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.DoubleStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Tests which differences between two builds are reported. */
class BuildComparisonTest {
  private static final String RATE = "rate";
  private static final int RUNS = 10;

  /** A scenario of one variant brings about as many. */
  private static final int FIGURES = 9;

  @Test
  void interval_isStudentsOfTheLogarithms_wherePairsAreDivided() {
    // Logarithms 0.1, 0.2, 0.3: deviation 0.1; 97.5 % of t with two degrees of freedom: 4.302653.
    List<Double> b = DoubleStream.of(0.1, 0.2, 0.3).map(Math::exp).boxed().toList();
    BuildComparison comparison = BuildComparison.of(RATE, List.of(1.0, 1.0, 1.0), b, 1);
    double reach = 4.302653 * 0.1 / Math.sqrt(3);
    assertThat(comparison.change()).isCloseTo(Math.expm1(0.2), within(1e-9));
    assertThat(comparison.least()).isCloseTo(Math.expm1(0.2 - reach), within(1e-6));
    assertThat(comparison.most()).isCloseTo(Math.expm1(0.2 + reach), within(1e-6));
    assertThat(BuildComparison.of(RATE, List.of(1.0, 1.0, 1.0), b, 9).most())
        .as("more figures, more chances")
        .isGreaterThan(comparison.most());
  }

  @Test
  void machineThatIsSlowForAWhile_isSlowForBothOfAPair() {
    BuildComparison comparison =
        BuildComparison.of(RATE, List.of(100.0, 40.0, 70.0), List.of(90.0, 36.0, 63.0), FIGURES);
    assertThat(comparison.change()).isCloseTo(-0.1, within(1e-9));
    assertThat(comparison.verdict()).isEqualTo("worse");
  }

  @ParameterizedTest
  @MethodSource("seeds")
  void tenthMoreOrLess_isFound_andItsDirectionNamed(long seed) {
    assertThat(drawn(RATE, seed, RUNS, 0.9).verdict()).isEqualTo("worse");
    assertThat(drawn(RATE, seed, RUNS, 1.12).verdict()).isEqualTo("better");
    assertThat(drawn("cpu shim", seed, RUNS, 1.12).verdict()).isEqualTo("worse");
    assertThat(drawn("latency avg", seed, RUNS, 0.9).verdict()).isEqualTo("better");
  }

  @ParameterizedTest
  @MethodSource("seeds")
  void identicalBuilds_areNotReported_norThreePercent_howeverSure(long seed) {
    assertThat(drawn(RATE, seed, RUNS, 1).isChange()).isFalse();
    BuildComparison sure = drawn(RATE, seed, 100, 0.97);
    assertThat(sure.most()).isNegative();
    assertThat(sure.isChange()).isFalse();
  }

  @Test
  void largeDifference_thatMayBeChance_isNotReported() {
    BuildComparison comparison =
        BuildComparison.of(RATE, List.of(50.0, 100.0, 150.0), List.of(90.0, 90.0, 180.0), 1);
    assertThat(comparison.change()).isGreaterThan(0.2);
    assertThat(comparison.verdict()).isEmpty();
  }

  static LongStream seeds() {
    return LongStream.rangeClosed(1, 20);
  }

  /**
   * Returns drawn figures that scatter by 2 %, as runs of some ten seconds on a shared machine do.
   */
  private static BuildComparison drawn(String figure, long seed, int runs, double factor) {
    Random random = new Random(seed);
    List<Double> a = samples(random, runs, 24_800);
    return BuildComparison.of(figure, a, samples(random, runs, 24_800 * factor), FIGURES);
  }

  private static List<Double> samples(Random random, int runs, double mean) {
    return DoubleStream.generate(() -> mean * (1 + 0.02 * random.nextGaussian()))
        .limit(runs)
        .boxed()
        .toList();
  }

  /**
   * The soaks are real: of ten runs a build of {@code duplog --only sustained}, on a machine whose
   * host took up to half of its processors' time. In the second B's bridge computed each digest
   * twice, which is some 10 % of the whole.
   */
  @ParameterizedTest
  @CsvSource({"identical.json, ", "slower.json, 'cpu bridge, relative is worse'"})
  void recordedSoaks_areJudgedRightly(String name, String changes) throws Exception {
    URI resource = BuildComparisonTest.class.getResource(name).toURI();
    List<String> found = new ArrayList<>();
    JsonNode figures = Json.read(Path.of(resource), JsonNode.class).get("figures");
    for (JsonNode each : figures) {
      String figure = each.get("figure").asText();
      BuildComparison comparison =
          BuildComparison.of(
              figure, samples(each.get("a")), samples(each.get("b")), figures.size());
      if (comparison.isChange()) {
        found.add(figure + " is " + comparison.verdict());
      }
    }
    assertThat(found).isEqualTo(changes == null ? List.of() : List.of(changes));
  }

  private static List<Double> samples(JsonNode build) {
    return Streams.stream(build.get("samples")).map(JsonNode::asDouble).toList();
  }
}
