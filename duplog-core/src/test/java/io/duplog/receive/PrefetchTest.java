package io.duplog.receive;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class PrefetchTest {
  private static final int MEBIBYTE = 1 << 20;
  private static final long LATER = Duration.ofSeconds(10).toNanos();

  private final Prefetch prefetch = new Prefetch(1024, 64 * MEBIBYTE);

  @Test
  void configuredNumber_isAskedFor_whileEverythingFits() {
    assertThat(prefetch.choose(0)).isEqualTo(1024);
    assertThat(prefetch.choose(1)).isEqualTo(1024);
    assertThat(prefetch.isNarrow()).isFalse();
  }

  @Test
  void whatDidNotFit_isAskedForInNumbersThatFit() {
    deliver(100, MEBIBYTE, 1000);
    prefetch.overflowed();

    assertThat(prefetch.choose(0)).as("half of 64 MiB").isEqualTo(32);
    assertThat(prefetch.isNarrow()).isTrue();
  }

  @Test
  void crowd_isRemembered_untilLessIsAskedFor() {
    deliver(MEBIBYTE);
    assertThat(prefetch.isCrowded()).isFalse();

    prefetch.overflowed();
    assertThat(prefetch.isCrowded()).isTrue();

    prefetch.choose(0);
    assertThat(prefetch.isCrowded()).isFalse();
  }

  @Test
  void largeBodies_thatAllFit_narrowNothing() {
    deliver(32 * MEBIBYTE);

    assertThat(prefetch.choose(0)).isEqualTo(1024);
  }

  @Test
  void smallBody_thatDoesNotFitBehindLargeOnes_narrowsByTheLarge() {
    deliver(32 * MEBIBYTE, 64 * MEBIBYTE, 100);
    prefetch.overflowed();

    assertThat(prefetch.choose(0)).isEqualTo(1);
  }

  private void deliver(int... bodies) {
    for (int bytes : bodies) {
      prefetch.delivered(bytes);
    }
  }

  @Test
  void largestBody_isStillAskedFor() {
    deliver(Integer.MAX_VALUE);
    prefetch.overflowed();

    assertThat(prefetch.choose(0)).isEqualTo(1);
  }

  @Test
  void number_growsAgain_toTheConfiguredOne() {
    deliver(16 * MEBIBYTE);
    prefetch.overflowed();
    assertThat(prefetch.choose(0)).isEqualTo(2);
    assertThat(prefetch.isToBeWidened(LATER - 1)).isFalse();
    assertThat(prefetch.isToBeWidened(LATER)).isTrue();

    for (int i = 0; i < 9; i++) {
      prefetch.choose(LATER);
    }

    assertThat(prefetch.choose(LATER)).isEqualTo(1024);
    assertThat(prefetch.isToBeWidened(3 * LATER)).isFalse();
  }
}
