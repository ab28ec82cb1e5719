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
    prefetch.returned(100);
    prefetch.returned(MEBIBYTE);
    prefetch.returned(1000);

    assertThat(prefetch.choose(0)).as("half of 64 MiB").isEqualTo(32);
    assertThat(prefetch.isNarrow()).isTrue();
  }

  @Test
  void largestBody_isStillAskedFor() {
    prefetch.returned(Integer.MAX_VALUE);

    assertThat(prefetch.choose(0)).isEqualTo(1);
  }

  @Test
  void number_growsAgain_toTheConfiguredOne() {
    prefetch.returned(16 * MEBIBYTE);
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
