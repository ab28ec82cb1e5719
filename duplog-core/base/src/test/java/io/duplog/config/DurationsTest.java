package io.duplog.config;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests that a range of durations is printed for an operator without being rounded. */
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
  void inWords_range_isNotRounded(long shortest, long longest, String text) {
    assertThat(Durations.inWords(Duration.ofMillis(shortest), Duration.ofMillis(longest)))
        .isEqualTo(text);
  }
}
