package io.duplog.benchmark.scenario;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests when a program counts as warm. */
class WarmUpTest {
  private static WarmUp bounds(int least, int most) {
    return new WarmUp(Duration.ofSeconds(least), Duration.ofSeconds(most));
  }

  @Test
  void bounds_areAsFarApartAsTheyCan() {
    assertThat(WarmUp.upTo(Duration.ofSeconds(30))).isEqualTo(bounds(8, 30));
    assertThat(WarmUp.upTo(Duration.ofSeconds(3))).isEqualTo(bounds(3, 3));
    assertThatIllegalArgumentException().isThrownBy(() -> bounds(2, 1));
  }

  /**
   * The compilers use this much in each of the first seconds, and are quiet then. After half of one
   * processor, less than 2 % of two are used once all but 200 ms of it are five seconds in the
   * past.
   */
  @ParameterizedTest
  @CsvSource({
    "8, 30, 0, 0, 8, 0",
    "8, 30, 12, 500, 17, 0",
    "8, 30, 100, 500, 30, 0.25",
    "12, 12, 100, 900, 12, 0.45"
  })
  void end_comesWhenTheCodeHasSettled_orAtTheBound(
      int least, int most, int busySeconds, int millisEach, int end, double share) {
    WarmUp.Course course = bounds(least, most).begin(2);
    int second = 0;
    while (!course.isOver(
        Duration.ofSeconds(second),
        Duration.ofMillis((long) millisEach * Math.min(second, busySeconds)))) {
      second++;
    }
    assertThat(second).isEqualTo(end);
    assertThat(course.share()).isEqualTo(share);
  }
}
