package io.duplog.coverage;

import static org.assertj.core.api.Assertions.assertThat;

import io.duplog.dedup.Tallies;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.junit.jupiter.api.Test;

/**
 * Tests that a bridge's counts by sender stay within their limit, and add up with those of other
 * bridges.
 */
class PeriodTallyTest {
  private static final int MAX_SENDERS = 10;
  private static final StreamMapping COLUMNS =
      new StreamMapping(List.of("a", "b"), List.of("a", "b"));

  private final PeriodTally tally = new PeriodTally(2, MAX_SENDERS, Set.of("regular"));

  private static Tallies.OwnCounts counts(PeriodTally tally) {
    return Objects.requireNonNull(tally.unwritten("token", 7, COLUMNS));
  }

  private static Summary sum(PeriodTally... bridges) {
    Map<String, String> fields =
        bridges.length == 1
            ? Map.of("=one", counts(bridges[0]).text())
            : Map.of("=one", counts(bridges[0]).text(), "=two", counts(bridges[1]).text());
    return Summary.ofBridges(7, 2, fields, 100);
  }

  private static void count(PeriodTally tally, int first, int senders) {
    for (int i = first; i < first + senders; i++) {
      tally.count(0, true, "sender-" + i);
    }
  }

  @Test
  void sendersAboveTheMaximum_areCountedTogether_exceptRegularOnes() {
    count(tally, 0, 100_000);
    tally.count(0, true, "regular");
    tally.count(1, false, "regular");
    count(tally, 0, 100_000);

    assertThat(counts(tally).text().split(" ", -1)).hasSizeLessThan(7 + 4 * (MAX_SENDERS + 3));
    Summary sum = sum(tally);
    assertThat(sum.totals()).containsExactly(200_001, 200_001, 1, 0, 1);
    assertThat(sum.senders()).hasSize(MAX_SENDERS + 1);
    assertThat(sum.senders().get("regular")).containsExactly(1, 1, 1);
    assertThat(sum.senders().get("sender-9")).containsExactly(2, 2, 0);
  }

  @Test
  void senderInOneOfTwoFullBridges_isNotCountedSeparately() {
    PeriodTally full = tally;
    count(full, 0, 100);
    PeriodTally other = new PeriodTally(2, MAX_SENDERS, Set.of());
    other.count(1, false, "sender-3");
    other.count(1, false, "sender-50");

    Summary sum = sum(full, other);

    assertThat(sum.totals()).containsExactly(100, 100, 2, 0, 2);
    assertThat(sum.senders()).hasSize(MAX_SENDERS).doesNotContainKey("sender-50");
    assertThat(sum.senders().get("sender-3")).containsExactly(1, 1, 1);
  }

  @Test
  void senderInABridgeWithRoom_isCountedSeparately() {
    tally.count(0, true, "x");
    PeriodTally other = new PeriodTally(2, MAX_SENDERS, Set.of());
    other.count(1, true, "y");

    assertThat(sum(tally, other).senders()).containsOnlyKeys("x", "y");
  }

  @Test
  void unchangedCounts_areNotWrittenAgain() {
    tally.count(0, true, "x");
    tally.addDoubtful(5);
    Tallies.OwnCounts first = counts(tally);
    tally.count(1, false, "x");
    tally.markWritten(first);
    assertThat(first.unwritten()).isEqualTo(6);
    Tallies.OwnCounts second = counts(tally);
    assertThat(second.unwritten()).isEqualTo(1);
    assertThat(second.doubtful()).isEqualTo(5);
    tally.markWritten(second);

    assertThat(tally.isWritten()).isTrue();
    assertThat(tally.unwritten("token", 7, COLUMNS)).isNull();
  }
}
