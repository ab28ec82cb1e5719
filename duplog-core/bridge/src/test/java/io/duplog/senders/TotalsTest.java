package io.duplog.senders;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Tests that a sender's messages are added up, and when they are considered cut by a size limit.
 */
class TotalsTest {
  @Test
  void sum_countsOnlyTheLongestMessages() {
    Totals totals = new Totals(3, 300, 1, 150, 2);

    assertThat(totals.plus(new Totals(2, 200, 0, 150, 1))).isEqualTo(new Totals(5, 500, 1, 150, 3));
    assertThat(totals.plus(new Totals(2, 200, 1, 160, 1))).isEqualTo(new Totals(5, 500, 2, 160, 1));
    assertThat(totals.plus(new Totals(2, 200, 0, 140, 1))).isEqualTo(new Totals(5, 500, 1, 150, 2));
  }

  @ParameterizedTest
  @CsvSource({
    "1024, 3, 3",
    "1023, 4, 4",
    "8192, 3, 3",
    "65535, 9, 9",
    "1024, 2, 0",
    "1025, 9, 0",
    "1022, 9, 0",
    "512, 9, 0",
    "511, 9, 0",
    "0, 0, 0"
  })
  void longestMessages_withABufferLength_areCut(long longest, long asLong, long cut) {
    assertThat(new Totals(100, 100_000, 0, longest, asLong).cut()).isEqualTo(cut);
  }
}
