package io.duplog.dedup;

import static org.assertj.core.api.Assertions.assertThat;

import io.duplog.dedup.Arrivals.Way;
import io.duplog.dedup.memory.BrokenCounts;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The rule for one message, in every order of arrival; and two rules that are not right. */
class CountsTest {
  private static final long NEVER = Long.MAX_VALUE;

  @ParameterizedTest
  @CsvSource({"2, 14", "3, 12", "4, 10"})
  void copies_inEveryOrder_areKeptAsOftenAsOnTheFullestStream(int streams, int copies) {
    Arrivals.Result result = rule(streams, 0).upTo(copies);

    assertThat(result.findings()).isEmpty();
    assertThat(result.mostDuplicates()).isZero();
    assertThat(result.states()).isGreaterThan(100);
  }

  @ParameterizedTest
  @CsvSource({"2, 14", "3, 10", "4, 8"})
  void digest_evictedAsAWhole_losesNothing(int streams, int copies) {
    Arrivals.Result result = rule(streams, 2).upTo(copies);

    assertThat(result.findings()).isEmpty();
    assertThat(result.mostDuplicates()).isPositive();
  }

  private static Arrivals rule(int streams, int evictions) {
    return new Arrivals(() -> new Counts(streams, NEVER), streams, evictions, Way.FIRST);
  }

  @Test
  void prototypesDecrements_areRightForTwoStreams() {
    assertThat(decrements(2).upTo(14).findings()).isEmpty();
  }

  @Test
  void prototypesDecrements_withMoreStreams_loseTheSecondRound() {
    assertThat(decrements(3).upTo(5).findings()).containsOnlyKeys("LOSS");
    assertThat(decrements(3).upTo(5).findings()).containsEntry("LOSS", "a1 b1 c1 a1");
    assertThat(decrements(4).upTo(5).findings()).containsOnlyKeys("LOSS");
  }

  private static Arrivals decrements(int streams) {
    return new Arrivals(() -> new BrokenCounts.Decremented(streams, NEVER), streams, 0, Way.FIRST);
  }

  @ParameterizedTest
  @CsvSource({"2, 12", "3, 10", "4, 8"})
  void separateKeys_areRightUntilOneIsEvicted(int streams, int copies) {
    assertThat(separateKeys(streams, 0).upTo(copies).findings()).isEmpty();
    assertThat(separateKeys(streams, 1).upTo(3).findings()).containsOnlyKeys("LOSS");
    assertThat(separateKeys(streams, 1).upTo(3).findings()).containsEntry("LOSS", "a1 evict1/0 a1");
  }

  private static Arrivals separateKeys(int streams, int evictions) {
    return new Arrivals(
        () -> new BrokenCounts.SeparateKeys(streams, NEVER), streams, evictions, Way.FIRST);
  }
}
