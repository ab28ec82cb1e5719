package io.duplog.benchmark.load;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class SteppedRateTest {
  private static final long SECOND = Duration.ofSeconds(1).toNanos();

  private final SteppedRate pace = new SteppedRate(new Flood(() -> 100, 50));

  @Test
  void beforeARateIsGiven_theFloodDecides() {
    assertThat(pace.allowed(120, 0)).isEqualTo(150);
    assertThat(pace.dueNanos(7)).isNegative();
  }

  @Test
  void rate_countsFromWhatHadLeftWhenItWasGiven() {
    pace.set(1_000, 150, 10 * SECOND);
    assertThat(pace.allowed(150, 10 * SECOND)).isEqualTo(150);
    assertThat(pace.allowed(150, 12 * SECOND + SECOND / 2)).isEqualTo(2_650);
  }

  @Test
  void rateOfNothing_holdsThemAll() {
    pace.set(0, 150, 10 * SECOND);
    assertThat(pace.allowed(150, 100 * SECOND)).isEqualTo(150);
  }

  @Test
  void laterRate_doesNotMakeUpForTheEarlierOne() {
    pace.set(1_000, 0, 0);
    pace.set(10, 400, SECOND);
    assertThat(pace.allowed(400, 2 * SECOND)).isEqualTo(410);
  }
}
