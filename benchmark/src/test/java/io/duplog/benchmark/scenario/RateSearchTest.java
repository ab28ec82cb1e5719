package io.duplog.benchmark.scenario;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import org.assertj.core.data.Percentage;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RateSearchTest {
  @ParameterizedTest
  @ValueSource(doubles = {100, 99, 90, 81, 79, 50, 30, 12})
  void limit_isFoundFromBelow(double limit) {
    RateSearch search = new RateSearch(100, 0.06);
    while (!search.isOver()) {
      search.tried(search.next() <= limit);
    }
    assertThat(search.highest()).isLessThanOrEqualTo(limit);
    assertThat(search.highest()).isCloseTo(limit, Percentage.withPercentage(7));
  }

  @Test
  void nothingSustained_givesUp_andSaysSo() {
    RateSearch search = new RateSearch(100, 0.06);
    int trials = 0;
    for (; !search.isOver(); trials++) {
      search.tried(false);
    }
    assertThat(search.highest()).isZero();
    assertThat(trials).isEqualTo(12);
    assertThat(search.next()).isLessThan(6);
  }

  @Test
  void searchBelowNothing_isRefused() {
    assertThatIllegalArgumentException().isThrownBy(() -> new RateSearch(0, 0.06));
    assertThatIllegalArgumentException().isThrownBy(() -> new RateSearch(Double.NaN, 0.06));
  }
}
