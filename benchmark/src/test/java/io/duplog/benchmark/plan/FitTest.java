package io.duplog.benchmark.plan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.offset;

import org.junit.jupiter.api.Test;

class FitTest {
  private static final double ROUNDING = 1e-6;

  @Test
  void exactLine_isFound() {
    double[][] rows = {{1, 110}, {1, 340}, {1, 800}};
    double[] fit = Fit.of(rows, new double[] {2 + 1.1, 2 + 3.4, 2 + 8});
    assertThat(fit[0]).isCloseTo(2, offset(ROUNDING));
    assertThat(fit[1]).isCloseTo(0.01, offset(ROUNDING));
  }

  @Test
  void fallingLine_isLevelRatherThanNegative() {
    double[] fit = Fit.of(new double[][] {{1, 100}, {1, 800}}, new double[] {5, 4});
    assertThat(fit[1]).isZero();
    assertThat(fit[0]).isBetween(4.0, 5.0);
  }

  @Test
  void termsThatCanNotBeToldApart_shareWhatThereIs() {
    double[][] rows = {{1, 800}, {2, 1600}};
    double[] fit = Fit.of(rows, new double[] {4, 8});
    assertThat(Fit.value(rows[0], fit)).isCloseTo(4, offset(ROUNDING));
    assertThat(Fit.value(rows[1], fit)).isCloseTo(8, offset(ROUNDING));
  }

  /** A run of small figures counts as much as one of large ones. */
  @Test
  void errors_areRelative() {
    double[] fit = Fit.of(new double[][] {{1}, {1}}, new double[] {1, 100});
    assertThat(fit[0]).isBetween(1.0, 2.0);
  }
}
