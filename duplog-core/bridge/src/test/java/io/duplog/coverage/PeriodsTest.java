package io.duplog.coverage;

import static org.assertj.core.api.Assertions.assertThat;

import io.duplog.dedup.Sightings;
import java.time.Duration;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Tests when a period is over, so that no copy can arrive in it any more and its missed messages
 * can be counted.
 */
class PeriodsTest {
  @ParameterizedTest
  @CsvSource({"600000, 20000", "10000, 20000", "80000, 1", "10001, 1", "7, 1", "240000, 20000"})
  void period_isDue_afterItsLastPossibleCopy(long windowMillis, long shortest) {
    Periods periods = new Periods(Duration.ofMillis(windowMillis), shortest);
    long firstGeneration = 1_000_000;
    for (long generation = firstGeneration; generation < firstGeneration + 500; generation++) {
      long period = periods.ofGeneration(generation);
      double length = (double) windowMillis / Sightings.REMEMBERED;
      // The last instant at which the ledger still remembers digests from this generation.
      double last = (generation + Sightings.REMEMBERED + 1) * length;
      assertThat((double) periods.dueMillis(period)).isGreaterThanOrEqualTo(last + 2000);
      assertThat(periods.startMillis(period)).isLessThanOrEqualTo((long) (generation * length));
      assertThat(periods.endMillis(period)).isGreaterThan((long) (generation * length));
      assertThat(periods.ofGeneration(generation + 1))
          .isBetween(period, period + 1 + Sightings.REMEMBERED);
    }
  }

  @ParameterizedTest
  @CsvSource({"600000, 20000", "10000, 20000", "80000, 1"})
  void lastDue_isTheLastDuePeriod(long windowMillis, long shortest) {
    Periods periods = new Periods(Duration.ofMillis(windowMillis), shortest);
    for (long time = 100_000_000; time < 100_100_000; time += 777) {
      long last = periods.lastDue(time);
      assertThat(periods.dueMillis(last)).isLessThanOrEqualTo(time);
      assertThat(periods.dueMillis(last + 1)).isGreaterThan(time);
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {5, 20, 60, 120, 240, 310, 319, 400, 600, 840})
  void period_isDue_withinAMinuteAfterTheWindow(int windowSeconds) {
    Periods periods = new Periods(Duration.ofSeconds(windowSeconds));
    for (long period = 1_000_000; period < 1_000_100; period++) {
      long afterTheWindow =
          periods.dueMillis(period) - periods.startMillis(period) - windowSeconds * 1000L;
      assertThat(afterTheWindow).isBetween(2_000L, 56_000L);
    }
  }

  @ParameterizedTest
  @CsvSource({"600000, 37500", "10000, 20000", "480000, 30000"})
  void length_isASixteenthOfTheWindow_orTwentySeconds(long windowMillis, long length) {
    assertThat(new Periods(Duration.ofMillis(windowMillis)).lengthMillis()).isEqualTo(length);
  }
}
