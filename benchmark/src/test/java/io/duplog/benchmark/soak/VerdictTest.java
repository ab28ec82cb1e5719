package io.duplog.benchmark.soak;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** On recorded samples: ten runs a build, which scatter by 2 to 4 %. */
class VerdictTest {
  private static final int RUNS = 10;

  /** Name, A's mean and coefficient of variation. */
  private record Recorded(Figure figure, double mean, double variation) {}

  /** What a scenario of one variant brings: nine figures. */
  private static final List<Recorded> FIGURES =
      List.of(
          new Recorded(Figure.rate(""), 24_800, 0.02),
          new Recorded(Figure.cpu("", "total"), 38.4, 0.02),
          new Recorded(Figure.cpu("", "rsyslog"), 8.1, 0.03),
          new Recorded(Figure.cpu("", "shim"), 3.3, 0.03),
          new Recorded(Figure.cpu("", "broker"), 9.6, 0.03),
          new Recorded(Figure.cpu("", "redis"), 2.4, 0.04),
          new Recorded(Figure.cpu("", "bridge"), 7.2, 0.03),
          new Recorded(Figure.latency("", "avg"), 61, 0.04),
          new Recorded(Figure.latency("", "p99"), 240, 0.04));

  /** Judges A against a B whose means are so much those of A. */
  private static List<Verdict> verdicts(long seed, double rate, double others) {
    Random random = new Random(seed);
    Map<Figure, Comparison> comparisons = new LinkedHashMap<>();
    for (Recorded each : FIGURES) {
      double factor = each.figure().name().equals("rate") ? rate : others;
      comparisons.put(
          each.figure(),
          Comparison.of(
              RecordedSamples.summary(random, RUNS, each.mean(), each.variation()),
              RecordedSamples.summary(random, RUNS, each.mean() * factor, each.variation())));
    }
    return Verdict.of(comparisons);
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10})
  void slowdownOfATenth_isFound_andCalledWorse(long seed) {
    Verdict rate = verdicts(seed, 0.9, 1).get(0);
    assertThat(rate.isChange()).isTrue();
    assertThat(rate.words()).isEqualTo("worse");
    assertThat(rate.adjusted()).isGreaterThan(0.99);
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10})
  void tenthMoreOfEverythingElse_isFoundInEveryFigure(long seed) {
    List<Verdict> costs = verdicts(seed, 1, 1.12).subList(1, FIGURES.size());
    assertThat(costs).allMatch(Verdict::isChange).allMatch(each -> each.words().equals("worse"));
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20})
  void identicalBuilds_areNotReported(long seed) {
    assertThat(verdicts(seed, 1, 1)).noneMatch(Verdict::isChange);
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10})
  void differenceOfThreePercent_isNotReported_howeverSure(long seed) {
    Random random = new Random(seed);
    Comparison comparison =
        Comparison.of(
            RecordedSamples.summary(random, 40, 24_800, 0.02),
            RecordedSamples.summary(random, 40, 24_800 * 0.97, 0.02));
    assertThat(comparison.confidence()).isGreaterThan(Verdict.LEAST_CONFIDENCE);
    assertThat(Verdict.of(Map.of(Figure.rate(""), comparison)).get(0).isChange()).isFalse();
  }

  @Test
  void largeDifference_thatMayBeChance_isNotReported_andCalledErratic() {
    Comparison comparison = Comparison.of(Summary.of(50, 100, 150), Summary.of(70, 120, 170));
    Verdict verdict = Verdict.of(Map.of(Figure.rate(""), comparison)).get(0);
    assertThat(comparison.deltaShare()).isEqualTo(0.2);
    assertThat(verdict.isChange()).isFalse();
    assertThat(verdict.words()).isEqualTo("erratic");
  }

  @Test
  void confidences_areAdjustedByHolmsMethod() {
    Summary any = Summary.of(1, 2);
    Map<Figure, Comparison> comparisons = new LinkedHashMap<>();
    comparisons.put(Figure.cpu("", "x"), new Comparison(any, any, 1 - 0.04));
    comparisons.put(Figure.cpu("", "y"), new Comparison(any, any, 1 - 0.01));
    comparisons.put(Figure.cpu("", "z"), new Comparison(any, any, 1 - 0.03));

    // 0.01 * 3; then 0.03 * 2; then 0.04 * 1, but not less than the one before.
    assertThat(Verdict.of(comparisons))
        .extracting(verdict -> Math.round(100 * (1 - verdict.adjusted())))
        .containsExactly(6L, 3L, 6L);
  }

  @Test
  void moreIsBetter_ofARate_andWorse_ofACost() {
    assertThat(Figure.rate("").judge(1)).isEqualTo("better");
    assertThat(Figure.rate("").judge(-1)).isEqualTo("worse");
    assertThat(Figure.cpu("", "shim").judge(1)).isEqualTo("worse");
    assertThat(Figure.latency("", "avg").judge(-1)).isEqualTo("better");
  }
}
