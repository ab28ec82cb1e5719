package io.duplog.dedup.memory;

import static org.assertj.core.api.Assertions.assertThat;

import io.duplog.dedup.memory.StreamChanges.BrokenClause;
import io.duplog.dedup.memory.StreamChanges.Change;
import java.util.EnumMap;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests that adding and removing streams loses no message, in every order of the steps. */
class StreamChangesTest {
  private static StreamChanges.Result explore(
      String history, Set<BrokenClause> broken, String stopAt) {
    Map<Change, Integer> budget = new EnumMap<>(Change.class);
    for (String change : history.split(" ", -1)) {
      budget.merge(Change.valueOf(change), 1, Integer::sum);
    }
    return new StreamChanges(budget, broken).explore(stopAt);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "LOG LOG RESTART RESTART LOST_COPY",
        "LOG LOG RESTART RESTART REMOVAL",
        "LOG RESTART RESTART REMOVAL WINDOW",
        "LOG LOG RESTART EARLY_REMOVAL WINDOW",
        "LOG LOG RESTART RESTART EARLY_REMOVAL",
        "LOG LOG RESTART MISNAMING"
      })
  void changesOfStreams_loseNothing_andDuplicateNothingInTheRightOrder(String history) {
    StreamChanges.Result result = explore(history, Set.of(), "");

    assertThat(result.findings()).isEmpty();
    assertThat(result.states()).isGreaterThan(100);
  }

  @ParameterizedTest
  @CsvSource(
      textBlock =
          """
          SLOT_IS_OWN_PLACE,             LOSS,      LOG LOG RESTART
          RETURNING_STREAM_HAS_NEW_SLOT, LOSS,      LOG LOG RESTART RESTART REMOVAL
          NOBODY_IS_REFUSED,             LOSS,      LOG LOG MISNAMING
          REMOVAL_FORGETS,               DUPLICATE, LOG RESTART REMOVAL
          BRIDGE_AWAITS_OWN_STREAMS,     DUPLICATE, LOG RESTART
          NEW_STREAM_IS_NOT_AWAITED,     DUPLICATE, LOG RESTART
          """)
  void rule_withOneClauseLeftOut_isFoundOut(BrokenClause clause, String finding, String history) {
    assertThat(explore(history, Set.of(clause), finding).findings()).containsKey(finding);
  }
}
