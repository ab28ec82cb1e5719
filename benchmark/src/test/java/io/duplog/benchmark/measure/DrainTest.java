package io.duplog.benchmark.measure;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class DrainTest {
  private final Drain drain = new Drain(100);

  @Test
  void complete_isOverOnceNothingCameForASecond() {
    assertThat(drain.isOver(100, 0, seconds(10))).isFalse();
    assertThat(drain.isOver(101, 0, seconds(10.9))).isFalse();
    assertThat(drain.isOver(101, 0, seconds(11.8))).isFalse();
    assertThat(drain.isOver(101, 0, seconds(11.9))).isTrue();
  }

  @Test
  void queuedBatches_keepItWaiting() {
    assertThat(drain.isOver(100, 1, seconds(10))).isFalse();
    assertThat(drain.isOver(100, 1, seconds(20))).isFalse();
    assertThat(drain.isOver(100, 0, seconds(21))).isFalse();
    assertThat(drain.isOver(100, 0, seconds(22))).isTrue();
  }

  @Test
  void incomplete_isGivenUpWhenNothingCameForLong() {
    assertThat(drain.isOver(98, 0, seconds(10))).isFalse();
    assertThat(drain.isOver(99, 0, seconds(24))).isFalse();
    assertThat(drain.isOver(99, 0, seconds(38.9))).isFalse();
    assertThat(drain.isOver(99, 0, seconds(39))).isTrue();
  }

  private static long seconds(double seconds) {
    return Math.round(seconds * TimeUnit.SECONDS.toNanos(1));
  }
}
