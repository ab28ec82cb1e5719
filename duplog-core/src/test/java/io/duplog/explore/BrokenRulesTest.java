package io.duplog.explore;

import static org.assertj.core.api.Assertions.assertThat;

import io.duplog.dedup.memory.ExplorableStore.BrokenClause;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** What the explorer has to find, or else it would find nothing. */
@Execution(ExecutionMode.CONCURRENT)
class BrokenRulesTest {
  @ParameterizedTest
  @CsvSource(
      textBlock =
          """
          PENDING_IS_IGNORED,            LOSS,      HOST_LOST
          REVOKED_DIGESTS_STAY,          LOSS,      HOST_LOST
          REVOCATION_IS_NOT_LOGGED,      LOSS,      HOST_LOST
          REVOCATION_IS_FORGOTTEN_EARLY, LOSS,      HOST_LOST CHANNEL_LOST
          PENDING_TWIN_IS_DELIVERED,     LOSS,      CHANNEL_LOST BRIDGE_DIES
          REDELIVERED_GETS_NEW_NUMBER,   LOSS,      BRIDGE_DIES HOST_LOST
          SNAPSHOT_KEEPS_EPOCH,          LOSS,      REDIS_RESTORED
          REPLICA_KEEPS_EPOCH,           LOSS,      FAILED_OVER HOST_LOST
          LAPSED_BRIDGE_IS_JUDGED,       STALL,     JUDGEMENT_DELAYED BRIDGE_DIES
          CLOCK_IS_TRUSTED,              STALL,     CLOCK_BACK BRIDGE_DIES
          CLOCK_IS_TRUSTED,              DUPLICATE, CLOCK_FORWARD
          UNHELD_STAYS_PENDING,          STALL,     JUDGEMENT_DELAYED
          """)
  void rule_withOneClauseLeftOut_isFoundOut(BrokenClause clause, String finding, String faults) {
    Map<Fault, Integer> budget =
        Fault.each(Stream.of(faults.split(" ")).map(Fault::valueOf).toList());

    assertThat(Stream.of(History.AB, History.ABB, History.AAB))
        .anyMatch(
            history ->
                new Explorer(history, budget, Set.of(clause))
                    .explore(finding)
                    .findings()
                    .containsKey(finding));
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

  @ParameterizedTest
  @EnumSource(names = {"AB", "ABB", "AAB", "MIXED"})
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
