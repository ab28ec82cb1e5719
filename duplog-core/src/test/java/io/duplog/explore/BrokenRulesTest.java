package io.duplog.explore;

import static org.assertj.core.api.Assertions.assertThat;

import io.duplog.dedup.memory.ExplorableStore.BrokenClause;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** What the explorer has to find, or else it would find nothing. */
@Execution(ExecutionMode.CONCURRENT)
class BrokenRulesTest {

  static Stream<Arguments> traps() {
    return Stream.of(
        trap(BrokenClause.PENDING_IS_IGNORED, "LOSS", Fault.HOST_LOST),
        trap(BrokenClause.REVOKED_DIGESTS_STAY, "LOSS", Fault.HOST_LOST),
        trap(BrokenClause.REVOCATION_IS_NOT_LOGGED, "LOSS", Fault.HOST_LOST),
        trap(
            BrokenClause.REVOCATION_IS_FORGOTTEN_EARLY,
            "LOSS",
            Fault.HOST_LOST,
            Fault.CHANNEL_LOST),
        trap(BrokenClause.PENDING_TWIN_IS_DELIVERED, "LOSS", Fault.CHANNEL_LOST, Fault.BRIDGE_DIES),
        trap(BrokenClause.REDELIVERED_GETS_NEW_NUMBER, "LOSS", Fault.BRIDGE_DIES, Fault.HOST_LOST),
        trap(BrokenClause.SNAPSHOT_KEEPS_EPOCH, "LOSS", Fault.REDIS_RESTORED),
        trap(BrokenClause.REPLICA_KEEPS_EPOCH, "LOSS", Fault.FAILED_OVER, Fault.HOST_LOST),
        trap(
            BrokenClause.LAPSED_BRIDGE_IS_JUDGED,
            "STALL",
            Fault.JUDGEMENT_DELAYED,
            Fault.BRIDGE_DIES),
        trap(BrokenClause.CLOCK_IS_TRUSTED, "STALL", Fault.CLOCK_BACK, Fault.BRIDGE_DIES),
        trap(BrokenClause.CLOCK_IS_TRUSTED, "DUPLICATE", Fault.CLOCK_FORWARD),
        trap(BrokenClause.UNHELD_STAYS_PENDING, "STALL", Fault.JUDGEMENT_DELAYED));
  }

  private static Arguments trap(BrokenClause clause, String finding, Fault... faults) {
    return Arguments.of(clause, finding, List.of(faults));
  }

  @ParameterizedTest
  @MethodSource("traps")
  void rule_withOneClauseLeftOut_isFoundOut(
      BrokenClause clause, String finding, List<Fault> faults) {
    boolean found =
        Stream.of(History.AB, History.ABB, History.AAB)
            .anyMatch(
                history ->
                    new Explorer(history, Fault.each(faults), Set.of(clause))
                        .explore(finding)
                        .findings()
                        .containsKey(finding));

    assertThat(found).as("%s is found by %s", clause, faults).isTrue();
  }

  @Test
  void pendingRecord_evicted_isFoundOut() {
    Explorer.Result result =
        new Explorer(
                History.AB,
                Fault.each(List.of(Fault.PENDING_RECORD_EVICTED, Fault.HOST_LOST)),
                Set.of())
            .explore("LOSS");

    assertThat(result.findings()).containsKey("LOSS");
  }

  static Stream<History> historiesOfTwoStreams() {
    return Stream.of(History.AB, History.ABB, History.AAB, History.MIXED);
  }

  @ParameterizedTest
  @MethodSource("historiesOfTwoStreams")
  void prototypesDecrements_areRightForTwoStreams(History history) {
    assertThat(findings(BrokenClause.PROTOTYPE_DECREMENTS, history, List.of())).isEmpty();
  }

  /** Without any fault, and nothing else is wrong with them. */
  @Test
  void prototypesDecrements_withThreeStreams_lose() {
    assertThat(findings(BrokenClause.PROTOTYPE_DECREMENTS, History.THREE_UNEVEN, List.of()))
        .containsOnly("LOSS");
  }

  @Test
  void separateKeys_loseWhereOneIsEvicted() {
    assertThat(findings(BrokenClause.SEPARATE_KEYS, History.ABB, List.of())).isEmpty();
    assertThat(findings(BrokenClause.SEPARATE_KEYS, History.THREE_UNEVEN, List.of())).isEmpty();
    assertThat(findings(BrokenClause.SEPARATE_KEYS, History.ABB, List.of(Fault.DIGEST_EVICTED)))
        .containsOnly("LOSS");
  }

  private static Set<String> findings(BrokenClause clause, History history, List<Fault> faults) {
    Explorer.Result result = new Explorer(history, Fault.each(faults), Set.of(clause)).explore("");
    assertThat(result.complete()).isTrue();
    return result.findings().keySet();
  }
}
