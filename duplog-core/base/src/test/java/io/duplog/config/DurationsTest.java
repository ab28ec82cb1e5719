package io.duplog.config;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests durations in words. */
class DurationsTest {
  @ParameterizedTest
  @CsvSource({
    "250, 10000, 0.25-10 s",
    "1000, 5000, 1-5 s",
    "200, 800, 0.2-0.8 s",
    "5000, 5000, 5 s",
    "1, 90000, 0.001-90 s",
    "0, 0, 0 s",
  })
  void range_isNeverRoundedToNothing(long shortest, long longest, String words) {
    assertThat(Durations.inWords(Duration.ofMillis(shortest), Duration.ofMillis(longest)))
        .isEqualTo(words);
  }
}
