package io.duplog.coverage;

import static org.assertj.core.api.Assertions.assertThat;

import io.duplog.dedup.Sightings;
import java.time.Duration;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PeriodsTest {
  @ParameterizedTest
  @CsvSource({"600000, 30000", "10000, 30000", "80000, 1", "10001, 1", "7, 1", "240000, 30000"})
  void period_isDue_onlyWhenNothingIsAttributedToItAnyMore(long windowMillis, long shortest) {
    Periods periods = new Periods(Duration.ofMillis(windowMillis), shortest);
    long firstGeneration = 1_000_000;
    for (long generation = firstGeneration; generation < firstGeneration + 500; generation++) {
      long period = periods.ofGeneration(generation);
      double eighth = windowMillis / 8.0;
      // Of the last instant at which the ledger still remembers what was seen in this generation.
      double last = (generation + Sightings.REMEMBERED + 1) * eighth;
      assertThat((double) periods.dueMillis(period)).isGreaterThanOrEqualTo(last + 2000);
      assertThat(periods.startMillis(period)).isLessThanOrEqualTo((long) (generation * eighth));
      assertThat(periods.endMillis(period)).isGreaterThan((long) (generation * eighth));
      assertThat(periods.ofGeneration(generation + 1)).isBetween(period, period + 1 + 8);
    }
  }

  @ParameterizedTest
  @CsvSource({"600000, 30000", "10000, 30000", "80000, 1"})
  void lastDue_isTheLastOfThoseThatAreDue(long windowMillis, long shortest) {
    Periods periods = new Periods(Duration.ofMillis(windowMillis), shortest);
    for (long time = 100_000_000; time < 100_100_000; time += 777) {
      long last = periods.lastDue(time);
      assertThat(periods.dueMillis(last)).isLessThanOrEqualTo(time);
      assertThat(periods.dueMillis(last + 1)).isGreaterThan(time);
    }
  }

  @ParameterizedTest
  @CsvSource({"600000, 75000", "10000, 30000", "480000, 60000"})
  void length_isAnEighthOfTheWindow_orHalfAMinute(long windowMillis, long length) {
    assertThat(new Periods(Duration.ofMillis(windowMillis)).lengthMillis()).isEqualTo(length);
  }
}
