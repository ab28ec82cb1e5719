package io.duplog.benchmark.scenario;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Tests that a warm-up ends when the JVMs compile nearly nothing any longer, and always within its
 * limits.
 */
class WarmUpTest {
  private static WarmUp bounds(int minSeconds, int maxSeconds) {
    return new WarmUp(Duration.ofSeconds(minSeconds), Duration.ofSeconds(maxSeconds));
  }

  @Test
  void upTo_longAndShortBounds_hasMinimumOfEightSecondsOrBound() {
    assertThat(WarmUp.withMaximum(Duration.ofSeconds(30))).isEqualTo(bounds(8, 30));
    assertThat(WarmUp.withMaximum(Duration.ofSeconds(3))).isEqualTo(bounds(3, 3));
    assertThatIllegalArgumentException().isThrownBy(() -> bounds(2, 1));
  }

  /**
   * The compilers use {@code millisEach} in each of the first {@code busySeconds} and are then
   * idle. If they used half of one processor, their share of two processors falls below 2 % once
   * all but 200 ms of that use is more than five seconds old.
   */
  @ParameterizedTest
  @CsvSource({
    "8, 30, 0, 0, 8, 0",
    "8, 30, 12, 500, 17, 0",
    "8, 30, 100, 500, 30, 0.25",
    "12, 12, 100, 900, 12, 0.45"
  })
  void isOver_compilersBusyAtFirst_endsWhenSettledOrAtMaximum(
      int minSeconds,
      int maxSeconds,
      int busySeconds,
      int millisEach,
      int end,
      double compilingShare) {
    WarmUp.Course course = bounds(minSeconds, maxSeconds).begin(2);
    int second = 0;
    while (!course.isOver(
        Duration.ofSeconds(second),
        Duration.ofMillis((long) millisEach * Math.min(second, busySeconds)))) {
      second++;
    }
    assertThat(second).isEqualTo(end);
    assertThat(course.compilingShare()).isEqualTo(compilingShare);
  }
}
