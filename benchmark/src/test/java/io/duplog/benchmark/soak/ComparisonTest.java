package io.duplog.benchmark.soak;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;

class ComparisonTest {

  @Test
  void confidence_isThatOfWelchsTest() {
    // Means 3 and 6, variances 2.5 and 10, n = 5: t = 3 / sqrt(2.5) = 1.8974, 5.882 degrees of
    // freedom, p = 0.107531 by numerical integration of Student's distribution.
    Comparison comparison = Comparison.of(Summary.of(1, 2, 3, 4, 5), Summary.of(2, 4, 6, 8, 10));
    assertThat(comparison.confidence()).isEqualTo(1 - 0.107531, within(1e-6));
    assertThat(comparison.delta()).isEqualTo(3);
    assertThat(comparison.deltaShare()).isEqualTo(1);
    assertThat(comparison.standardError()).isEqualTo(Math.sqrt(2.5), within(1e-9));
  }

  @Test
  void samplesWithoutAnyScatter_areEqualOrSurelyNot() {
    Summary two = Summary.of(2, 2, 2);
    assertThat(Comparison.of(two, two).confidence()).isZero();
    assertThat(Comparison.of(two, Summary.of(3, 3)).confidence()).isEqualTo(1);
    assertThat(Comparison.of(Summary.of(0, 0), two).deltaShare()).isInfinite();
    assertThat(Comparison.of(Summary.of(0, 0), Summary.of(0, 0)).deltaShare()).isZero();
  }

  @Test
  void oneRun_isNoComparison() {
    assertThatThrownBy(() -> Comparison.of(Summary.of(1), Summary.of(1, 2)))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void erratic_isWhatScattersByMoreThanATenthInEitherBuild() {
    Summary calm = Summary.of(95, 100, 105);
    Summary wild = Summary.of(85, 100, 115);
    assertThat(Comparison.of(calm, calm).isErratic()).isFalse();
    assertThat(Comparison.of(calm, wild).isErratic()).isTrue();
    assertThat(Comparison.of(wild, calm).isErratic()).isTrue();
  }
}
