package io.duplog.dedup;

import static org.assertj.core.api.Assertions.assertThat;

import io.duplog.dedup.Arrivals.Way;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Two ledgers, whatever they are: two Redis servers, one and a bridge's memory, two epochs.
 * Counting apart never loses: each keeps the maximum over streams of what it counted, and the sum
 * of maxima is at least the maximum of sums. Counting a copy twice does.
 */
class CountedApartTest {
  private static final long NEVER = Long.MAX_VALUE;

  @ParameterizedTest
  @CsvSource({"2, 10", "3, 7", "4, 5"})
  void copies_eachCountedByOneOfTwo_areNeverFewerThanTheMaximum(int streams, int copies) {
    Arrivals.Result result = ledgers(streams, Way.FIRST, Way.SECOND).upTo(copies);

    assertThat(result.findings()).isEmpty();
    // The bound on duplicates is reached: half of the copies each, on streams of their own.
    assertThat(result.mostDuplicates()).isEqualTo(copies / 2);
    assertThat(result.states()).isGreaterThan(500);
  }

  /** Whoever gets no answer does not know whether the copy is counted. */
  @ParameterizedTest
  @CsvSource({"2, 8", "3, 6"})
  void copies_keptWithoutAnAnswer_areNeverFewerThanTheMaximum(int streams, int copies) {
    Arrivals.Result result =
        ledgers(streams, Way.FIRST, Way.SECOND, Way.UNANSWERED_KEPT, Way.PASSED).upTo(copies);

    assertThat(result.findings()).isEmpty();
  }

  @ParameterizedTest
  @CsvSource({"2", "3"})
  void copies_judgedByTheSecondWhereTheFirstMayHaveCountedThem_areLost(int streams) {
    Arrivals.Result result =
        ledgers(streams, Way.FIRST, Way.SECOND, Way.UNANSWERED_ASKED_AGAIN).upTo(3);

    assertThat(result.findings()).containsEntry("LOSS", "a2 b1?2 a1");
  }

  /**
   * Two servers, each asked for every verdict, one alone suffices: the counter-example of
   * docs/decisions/no-mirrored-redis.md. The most generous way to take two answers does not help
   * where there is but one.
   */
  @ParameterizedTest
  @CsvSource({"2", "3", "4"})
  void mirroredLedgers_ofWhichEachMissesAnotherCopy_lose(int streams) {
    Arrivals.Result result = ledgers(streams, Way.FIRST, Way.SECOND, Way.BOTH).upTo(3);

    assertThat(result.findings()).containsEntry("LOSS", "a12 b1 b2");
  }

  /** It takes both to miss something: a mirror that alone misses copies makes duplicates only. */
  @Test
  void mirroredLedgers_ofWhichOneMissesNothing_loseNothing() {
    Arrivals.Result result = ledgers(2, Way.FIRST, Way.BOTH).upTo(8);

    assertThat(result.findings()).doesNotContainKey("LOSS");
    assertThat(result.mostDuplicates()).isPositive();
  }

  private static Arrivals ledgers(int streams, Way... ways) {
    return new Arrivals(() -> new Counts(streams, NEVER), streams, 0, ways);
  }
}
