package io.duplog.benchmark.scenario;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class WarmUpTest {
  private static final int PROCESSORS = 2;

  @Test
  void nothingCompiled_endsAfterTheLeast() {
    WarmUp.Course course = WarmUp.upTo(seconds(30)).begin(PROCESSORS);
    assertThat(endOf(course, 0, 0)).isEqualTo(8);
    assertThat(course.share()).isZero();
  }

  @Test
  void compilersBusyForTwelveSeconds_endsWhenFiveQuietOnesHavePassed() {
    WarmUp.Course course = WarmUp.upTo(seconds(30)).begin(PROCESSORS);
    // A processor's half, then nothing: below 4 % of one once all but 200 ms of it are in the past.
    assertThat(endOf(course, 12, 500)).isEqualTo(17);
  }

  @Test
  void compilersBusyAllTheTime_endsAtTheBound_andSaysSo() {
    WarmUp.Course course = WarmUp.upTo(seconds(30)).begin(PROCESSORS);
    assertThat(endOf(course, 100, 500)).isEqualTo(30);
    assertThat(course.share()).isEqualTo(0.25);
  }

  @Test
  void boundBelowTheLeast_isTaken() {
    assertThat(endOf(WarmUp.upTo(seconds(3)).begin(PROCESSORS), 0, 0)).isEqualTo(3);
  }

  @Test
  void fixed_takesAsLong_whateverIsCompiled() {
    assertThat(endOf(WarmUp.of(seconds(12)).begin(PROCESSORS), 0, 0)).isEqualTo(12);
    assertThat(endOf(WarmUp.of(seconds(12)).begin(PROCESSORS), 100, 900)).isEqualTo(12);
  }

  @Test
  void boundsTheWrongWayRound_areRefused() {
    assertThatIllegalArgumentException().isThrownBy(() -> new WarmUp(seconds(2), seconds(1)));
  }

  /** The second at which it ends, looked at once each, where compilers work for the first ones. */
  private static int endOf(WarmUp.Course course, int busySeconds, int millisEach) {
    for (int second = 0; ; second++) {
      Duration compiled = Duration.ofMillis((long) millisEach * Math.min(second, busySeconds));
      if (course.isOver(seconds(second), compiled)) {
        return second;
      }
    }
  }

  private static Duration seconds(int seconds) {
    return Duration.ofSeconds(seconds);
  }
}
