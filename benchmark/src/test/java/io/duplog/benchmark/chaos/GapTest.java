package io.duplog.benchmark.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class GapTest {
  private final Gap gap = new Gap();

  @Test
  void silenceBeforeTheFirstDelivery_isNoGap() {
    gap.look(false, 0);
    gap.look(false, 1_000);
    gap.look(true, 1_010);
    gap.look(true, 1_020);

    assertThat(gap.longestNanos()).isEqualTo(10);
  }

  @Test
  void gap_isFromOneDeliveryToTheNext() {
    gap.look(true, 0);
    gap.look(false, 10);
    gap.look(false, 20);
    gap.look(true, 30);
    gap.look(true, 40);

    assertThat(gap.longestNanos()).isEqualTo(30);
  }

  @Test
  void gapThatNeverEnds_counts() {
    gap.look(true, 0);
    gap.look(false, 500);

    assertThat(gap.longestNanos()).isEqualTo(500);
  }
}
