package io.duplog.dedup.memory;

import static org.assertj.core.api.Assertions.assertThat;

import io.duplog.dedup.memory.StreamChanges.BrokenClause;
import io.duplog.dedup.memory.StreamChanges.Change;
import java.util.EnumMap;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Streams that come and go, in every order of small histories. */
@Execution(ExecutionMode.CONCURRENT)
class StreamChangesTest {
  static Stream<Map<Change, Integer>> histories() {
    return Stream.of(
        of(Change.LOG, 2, Change.RESTART, 2, Change.LOST_COPY, 1),
        of(Change.LOG, 2, Change.RESTART, 2, Change.REMOVAL, 1),
        of(Change.LOG, 1, Change.RESTART, 2, Change.REMOVAL, 1, Change.WINDOW, 1),
        of(Change.LOG, 2, Change.RESTART, 1, Change.EARLY_REMOVAL, 1, Change.WINDOW, 1),
        of(Change.LOG, 2, Change.RESTART, 2, Change.EARLY_REMOVAL, 1),
        of(Change.LOG, 2, Change.RESTART, 1, Change.MISNAMING, 1));
  }

  @ParameterizedTest
  @MethodSource("histories")
  void changesOfStreams_loseNothing_andDuplicateNothingInTheRightOrder(
      Map<Change, Integer> history) {
    StreamChanges.Result result = new StreamChanges(history, Set.of()).explore("");

    assertThat(result.findings()).isEmpty();
    assertThat(result.states()).isGreaterThan(100);
  }

  static Stream<Arguments> traps() {
    return Stream.of(
        trap(BrokenClause.SLOT_IS_OWN_PLACE, "LOSS", of(Change.LOG, 2, Change.RESTART, 1)),
        trap(
            BrokenClause.RETURNING_STREAM_HAS_NEW_SLOT,
            "LOSS",
            of(Change.LOG, 2, Change.RESTART, 2, Change.REMOVAL, 1)),
        trap(BrokenClause.NOBODY_IS_REFUSED, "LOSS", of(Change.LOG, 2, Change.MISNAMING, 1)),
        trap(
            BrokenClause.REMOVAL_FORGETS,
            "DUPLICATE",
            of(Change.LOG, 1, Change.RESTART, 1, Change.REMOVAL, 1)),
        trap(
            BrokenClause.BRIDGE_AWAITS_OWN_STREAMS,
            "DUPLICATE",
            of(Change.LOG, 1, Change.RESTART, 1)),
        trap(
            BrokenClause.NEW_STREAM_IS_NOT_AWAITED,
            "DUPLICATE",
            of(Change.LOG, 1, Change.RESTART, 1)));
  }

  @ParameterizedTest
  @MethodSource("traps")
  void rule_withOneClauseLeftOut_isFoundOut(
      BrokenClause clause, String finding, Map<Change, Integer> history) {
    assertThat(new StreamChanges(history, Set.of(clause)).explore(finding).findings())
        .containsKey(finding);
  }

  private static Arguments trap(BrokenClause clause, String finding, Map<Change, Integer> history) {
    return Arguments.of(clause, finding, history);
  }

  private static Map<Change, Integer> of(Object... changesAndTimes) {
    Map<Change, Integer> budget = new EnumMap<>(Change.class);
    for (int i = 0; i < changesAndTimes.length; i += 2) {
      budget.put((Change) changesAndTimes[i], (Integer) changesAndTimes[i + 1]);
    }
    return budget;
  }
}
