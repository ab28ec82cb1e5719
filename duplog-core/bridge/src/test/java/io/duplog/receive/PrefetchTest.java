package io.duplog.receive;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Tests that a consumer lowers its prefetch when deliveries are too large for its memory, and
 * raises it again.
 */
class PrefetchTest {
  private static final int MEBIBYTE = 1 << 20;
  private static final long LATER = Duration.ofSeconds(10).toNanos();

  private final Prefetch prefetch = new Prefetch(1024, 64 * MEBIBYTE);

  @ParameterizedTest
  @CsvSource(
      textBlock =
          """
          everything fits, 0, false, 1024
          large bodies that all fit, 33554432, false, 1024
          half of 64 MiB in bodies of the largest size, 100 1048576 1000, true, 32
          a small body behind large ones, 33554432 67108864 100, true, 1
          the largest body of all, 2147483647, true, 1
          """)
  void whatDidNotFit_isAskedForInNumbersThatFit(
      String what, String bodies, boolean crowded, int chosen) {
    Stream.of(bodies.split(" ")).map(Integer::parseInt).forEach(prefetch::delivered);
    if (crowded) {
      prefetch.overflowed();
    }

    assertThat(prefetch.hasOverflowed()).as(what).isEqualTo(crowded);
    assertThat(prefetch.choose(0)).as(what).isEqualTo(chosen);
    assertThat(prefetch.isLowered()).as(what).isEqualTo(crowded);
    assertThat(prefetch.hasOverflowed()).as(what).isFalse();
  }

  @Test
  void number_growsAgain_toTheConfiguredOne() {
    prefetch.delivered(16 * MEBIBYTE);
    prefetch.overflowed();
    assertThat(prefetch.choose(0)).isEqualTo(2);
    assertThat(prefetch.isRaiseDue(LATER - 1)).isFalse();
    assertThat(prefetch.isRaiseDue(LATER)).isTrue();

    for (int i = 0; i < 9; i++) {
      prefetch.choose(LATER);
    }

    assertThat(prefetch.choose(LATER)).isEqualTo(1024);
    assertThat(prefetch.isRaiseDue(3 * LATER)).isFalse();
  }
}
