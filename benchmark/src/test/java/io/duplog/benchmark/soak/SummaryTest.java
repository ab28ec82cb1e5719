package io.duplog.benchmark.soak;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Test;

class SummaryTest {
  private static final Offset<Double> EXACT = within(1e-9);

  @Test
  void summary_ofKnownSamples_isThatComputedByHand() {
    // Mean 5; squares of the distances 9+1+1+1+0+0+4+16 = 32.
    Summary summary = Summary.of(9, 2, 4, 4, 5, 4, 5, 7);

    assertThat(summary.count()).isEqualTo(8);
    assertThat(summary.mean()).isEqualTo(5, EXACT);
    assertThat(summary.deviation()).isEqualTo(Math.sqrt(32 / 7.0), EXACT);
    assertThat(summary.min()).isEqualTo(2);
    assertThat(summary.median()).isEqualTo(4.5, EXACT);
    assertThat(summary.max()).isEqualTo(9);
    assertThat(summary.standardError()).isEqualTo(Math.sqrt(32 / 7.0 / 8), EXACT);
    assertThat(summary.coefficientOfVariation()).isEqualTo(Math.sqrt(32 / 7.0) / 5, EXACT);
    // Cubes -27-1-1-1+0+0+8+64 = 42; g1 = (42/8) / (32/8)^1.5 = 0.65625; G1 = g1 * sqrt(56) / 6.
    assertThat(summary.skewness()).isEqualTo(0.65625 * Math.sqrt(56) / 6, EXACT);
  }

  @Test
  void percentiles_lieBetweenTheSamples() {
    // Ranks 0 to 10: percentile p is at rank p / 10.
    Summary summary = Summary.of(10, 0, 1, 9, 2, 8, 3, 7, 4, 6, 5);
    assertThat(summary.median()).isEqualTo(5, EXACT);
    assertThat(summary.p90()).isEqualTo(9, EXACT);
    assertThat(summary.p95()).isEqualTo(9.5, EXACT);
    assertThat(summary.p99()).isEqualTo(9.9, EXACT);
    assertThat(summary.skewness()).isEqualTo(0, EXACT);
  }

  @Test
  void outliers_lieBeyondTukeysFences() {
    // Quartiles at ranks 2.25 and 6.75: 2.25 and 6.75; fences at -4.5 and 13.5.
    assertThat(Summary.of(0, 1, 2, 3, 4, 5, 6, 7, 8, 13.4).outliers()).isZero();
    assertThat(Summary.of(0, 1, 2, 3, 4, 5, 6, 7, 8, 13.6).outliers()).isEqualTo(1);
    assertThat(Summary.of(-5, 1, 2, 3, 4, 5, 6, 7, 8, 14).outliers()).isEqualTo(2);
  }

  @Test
  void summary_ofEqualSamples_hasNoDeviationAndNoSkewness() {
    Summary summary = Summary.of(3, 3, 3);
    assertThat(summary.deviation()).isZero();
    assertThat(summary.coefficientOfVariation()).isZero();
    assertThat(summary.outliers()).isZero();
    assertThat(summary.skewness()).isNaN();
  }

  @Test
  void summary_ofOneSample_hasNoDeviation() {
    assertThat(Summary.of(3).deviation()).isNaN();
  }

  @Test
  void summary_ofNothing_orOfNoNumber_isRefused() {
    assertThatThrownBy(Summary::of).isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> Summary.of(1, Double.NaN))
        .isInstanceOf(IllegalArgumentException.class);
  }
}
