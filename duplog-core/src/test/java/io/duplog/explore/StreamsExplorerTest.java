package io.duplog.explore;

import static org.assertj.core.api.Assertions.assertThat;

import io.duplog.dedup.ExplorableStore.BrokenClause;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Streams that are added and removed at every moment of small histories, while one of two bridges
 * still reads what it read before.
 */
@Execution(ExecutionMode.CONCURRENT)
class StreamsExplorerTest {
  /** Larger than any of the explorations here, so that each of them is complete. */
  private static final int LIMIT = 400_000;

  /** A stream is added, and brings what the others bring from then on. */
  private static final History GROWING = History.of("GROWING", 2, 3, "| 0:m 1:m 2:m");

  /** A stream's repeats come before and after. */
  private static final History REPEATING = History.of("REPEATING", 2, 3, "1:m | 1:m 2:m");

  /** The last stream is the first to bring a message. */
  private static final History SHRINKING = History.of("SHRINKING", 3, 3, "2:m 0:m | 1:m");

  /** The last stream alone brings something, before it is removed and after it came back. */
  private static final History RETURNING = History.of("RETURNING", 3, 3, "2:m | | 2:m");

  /** The same with something from elsewhere in between. */
  private static final History ANSWERED = History.of("ANSWERED", 3, 3, "2:m | 0:m | 2:m");

  static Stream<Arguments> changes() {
    return Stream.of(
        of(GROWING, Fault.STREAM_ADDED),
        of(REPEATING, Fault.STREAM_ADDED),
        of(REPEATING, Fault.STREAM_ADDED, Fault.BRIDGE_DIES),
        of(REPEATING, Fault.STREAM_ADDED, Fault.REDIS_FLUSHED),
        of(SHRINKING, Fault.STREAM_REMOVED),
        of(SHRINKING, Fault.STREAM_REMOVED_EARLY),
        of(SHRINKING, Fault.STREAM_REMOVED, Fault.BRIDGE_DIES),
        of(RETURNING, Fault.STREAM_REMOVED, Fault.STREAM_ADDED),
        of(RETURNING, Fault.STREAM_REMOVED_EARLY, Fault.STREAM_ADDED, Fault.WINDOW_PASSES),
        of(ANSWERED, Fault.STREAM_REMOVED, Fault.STREAM_ADDED),
        of(ANSWERED, Fault.STREAM_REMOVED_EARLY, Fault.WINDOW_PASSES));
  }

  private static Arguments of(History history, Fault... faults) {
    return Arguments.of(history, List.of(faults));
  }

  @ParameterizedTest
  @MethodSource("changes")
  void changeOfStreams_losesNothing_andDuplicatesNothingWithoutCause(
      History history, List<Fault> faults) {
    Explorer.Result result =
        new Explorer(history, budget(faults), Set.of(), LIMIT).explore("LOSS");

    assertThat(result.complete()).isTrue();
    assertThat(result.ends()).isPositive();
    assertThat(result.findings()).isEmpty();
  }

  static Stream<Arguments> traps() {
    return Stream.of(
        trap(BrokenClause.SLOT_IS_OWN_PLACE, "LOSS", REPEATING, Fault.STREAM_ADDED),
        trap(BrokenClause.BRIDGE_AWAITS_OWN_STREAMS, "DUPLICATE", GROWING, Fault.STREAM_ADDED),
        trap(BrokenClause.REMOVAL_FORGETS, "DUPLICATE", SHRINKING, Fault.STREAM_REMOVED),
        trap(
            BrokenClause.RETURNING_STREAM_HAS_NEW_SLOT,
            "LOSS",
            RETURNING,
            Fault.STREAM_REMOVED,
            Fault.STREAM_ADDED));
  }

  private static Arguments trap(
      BrokenClause clause, String finding, History history, Fault... faults) {
    return Arguments.of(clause, finding, history, List.of(faults));
  }

  @ParameterizedTest
  @MethodSource("traps")
  void rule_withOneClauseLeftOut_isFoundOut(
      BrokenClause clause, String finding, History history, List<Fault> faults) {
    Explorer.Result result =
        new Explorer(history, budget(faults), Set.of(clause), LIMIT).explore(finding);

    assertThat(result.findings()).containsKey(finding);
  }

  private static Map<Fault, Integer> budget(List<Fault> faults) {
    Map<Fault, Integer> budget = new EnumMap<>(Fault.class);
    faults.forEach(fault -> budget.merge(fault, 1, Integer::sum));
    return budget;
  }
}
