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

/**
 * Tests which measured differences between two builds count as better, as worse, or as no change.
 */
class BuildComparisonTest {
  private static final String RATE = "rate";
  private static final int RUNS = 10;

  /** Approximate number of figures of a scenario with one variant. */
  private static final int FIGURE_COUNT = 9;

  @Test
  void of_pairs_hasStudentIntervalOfLogarithms() {
    // Logarithms 0.1, 0.2, 0.3: deviation 0.1; 97.5 % of t with two degrees of freedom: 4.302653.
    List<Double> b = DoubleStream.of(0.1, 0.2, 0.3).map(Math::exp).boxed().toList();
    BuildComparison comparison = BuildComparison.of(RATE, List.of(1.0, 1.0, 1.0), b, 1);
    double halfWidth = 4.302653 * 0.1 / Math.sqrt(3);
    assertThat(comparison.change()).isCloseTo(Math.expm1(0.2), within(1e-9));
    assertThat(comparison.minChange()).isCloseTo(Math.expm1(0.2 - halfWidth), within(1e-6));
    assertThat(comparison.maxChange()).isCloseTo(Math.expm1(0.2 + halfWidth), within(1e-6));
    assertThat(BuildComparison.of(RATE, List.of(1.0, 1.0, 1.0), b, 9).maxChange())
        .as("more figures, more chances")
        .isGreaterThan(comparison.maxChange());
  }

  @Test
  void of_machineSlowForAWhile_comparesWithinPairs() {
    BuildComparison comparison =
        BuildComparison.of(
            RATE, List.of(100.0, 40.0, 70.0), List.of(90.0, 36.0, 63.0), FIGURE_COUNT);
    assertThat(comparison.change()).isCloseTo(-0.1, within(1e-9));
    assertThat(comparison.verdict()).isEqualTo("worse");
  }

  @ParameterizedTest
  @MethodSource("seeds")
  void verdict_changeOfTenPercent_isBetterOrWorse(long seed) {
    assertThat(compareRandom(RATE, seed, RUNS, 0.9).verdict()).isEqualTo("worse");
    assertThat(compareRandom(RATE, seed, RUNS, 1.12).verdict()).isEqualTo("better");
    assertThat(compareRandom("cpu shim", seed, RUNS, 1.12).verdict()).isEqualTo("worse");
    assertThat(compareRandom("latency avg", seed, RUNS, 0.9).verdict()).isEqualTo("better");
  }

  @ParameterizedTest
  @MethodSource("seeds")
  void isChange_identicalBuildsOrThreePercent_isFalse(long seed) {
    assertThat(compareRandom(RATE, seed, RUNS, 1).isChange()).isFalse();
    BuildComparison certainChange = compareRandom(RATE, seed, 100, 0.97);
    assertThat(certainChange.maxChange()).isNegative();
    assertThat(certainChange.isChange()).isFalse();
  }

  @Test
  void verdict_largeButUncertainDifference_isEmpty() {
    BuildComparison comparison =
        BuildComparison.of(RATE, List.of(50.0, 100.0, 150.0), List.of(90.0, 90.0, 180.0), 1);
    assertThat(comparison.change()).isGreaterThan(0.2);
    assertThat(comparison.verdict()).isEmpty();
  }

  static LongStream seeds() {
    return LongStream.rangeClosed(1, 20);
  }

  /**
   * Returns random figures that scatter by 2 %, like runs of about ten seconds on a shared machine.
   */
  private static BuildComparison compareRandom(String figure, long seed, int runs, double factor) {
    Random random = new Random(seed);
    List<Double> a = samples(random, runs, 24_800);
    return BuildComparison.of(figure, a, samples(random, runs, 24_800 * factor), FIGURE_COUNT);
  }

  private static List<Double> samples(Random random, int runs, double mean) {
    return DoubleStream.generate(() -> mean * (1 + 0.02 * random.nextGaussian()))
        .limit(runs)
        .boxed()
        .toList();
  }

  /**
   * The soaks are real: ten runs per build of {@code duplog --only sustained}, on a machine whose
   * host took up to half of its processors' time. In the second soak, B's bridge computed each
   * digest twice, which is about 10 % of the total.
   */
  @ParameterizedTest
  @CsvSource({"identical.json, ", "slower.json, 'cpu bridge, relative is worse'"})
  void verdict_recordedSoaks_isCorrect(String name, String changes) throws Exception {
    URI resource = BuildComparisonTest.class.getResource(name).toURI();
    List<String> reportedChanges = new ArrayList<>();
    JsonNode figures = Json.read(Path.of(resource), JsonNode.class).get("figures");
    for (JsonNode each : figures) {
      String figure = each.get("figure").asText();
      BuildComparison comparison =
          BuildComparison.of(
              figure, samples(each.get("a")), samples(each.get("b")), figures.size());
      if (comparison.isChange()) {
        reportedChanges.add(figure + " is " + comparison.verdict());
      }
    }
    assertThat(reportedChanges).isEqualTo(changes == null ? List.of() : List.of(changes));
  }

  private static List<Double> samples(JsonNode build) {
    return Streams.stream(build.get("samples")).map(JsonNode::asDouble).toList();
  }
}
