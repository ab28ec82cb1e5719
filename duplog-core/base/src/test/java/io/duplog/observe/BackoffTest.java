package io.duplog.observe;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Random;
import org.junit.jupiter.api.Test;

/** Tests that the pauses between attempts grow with jitter up to a maximum. */
class BackoffTest {
  @Test
  void nextNanos_repeatedAttempts_growToTheMaximumWithJitter() {
    Backoff backoff = new Backoff(100, 5000, new Random(1));
    for (long nominal : new long[] {100, 200, 400, 800, 1600, 3200, 5000, 5000}) {
      assertThat(backoff.nextNanos()).isBetween(nominal / 2, nominal);
    }
    backoff.reset();
    assertThat(backoff.nextNanos()).isLessThanOrEqualTo(100);
  }
}
