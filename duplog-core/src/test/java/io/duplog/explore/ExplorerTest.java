package io.duplog.explore;

import static org.assertj.core.api.Assertions.assertThat;

import io.duplog.dedup.ExplorableStore.BrokenClause;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

@Execution(ExecutionMode.CONCURRENT)
class ExplorerTest {
  /** Larger than any of the explorations here, so that each of them is complete. */
  private static final int LIMIT = 400_000;

  private static final History AB = History.of("AB", 2, "0:m 1:m");
  private static final History ABB = History.of("ABB", 2, "0:m 1:m 1:m");
  private static final History AAB = History.of("AAB", 2, "0:m 0:m 1:mm");
  private static final History MIXED = History.of("MIXED", 2, "0:mq 1:qm");
  private static final History THREE = History.of("THREE", 3, "0:m 1:m 2:m");

  /** The second batch keeps something of its own, and so may be delivered late. */
  private static final History LATE = History.of("LATE", 2, "0:m 1:mn");

  /** Every fault that the design allows; a pending record is never evicted. */
  private static final Set<Fault> FAULTS =
      EnumSet.complementOf(EnumSet.of(Fault.PENDING_RECORD_EVICTED));

  static Stream<Arguments> histories() {
    return Stream.of(AB, ABB, AAB, MIXED, THREE).map(Arguments::of);
  }

  static Stream<Arguments> historiesAndFaults() {
    return Stream.of(AB, ABB, MIXED, THREE)
        .flatMap(history -> FAULTS.stream().map(fault -> Arguments.of(history, fault)));
  }

  static Stream<Arguments> pairsOfFaults() {
    return FAULTS.stream()
        .flatMap(
            first ->
                FAULTS.stream()
                    .filter(second -> second.compareTo(first) >= 0)
                    .filter(second -> isExplorable(first, second))
                    .map(second -> Arguments.of(first, second)));
  }

  /** With both hosts lost there is nobody left who could deliver. */
  private static boolean isExplorable(Fault first, Fault second) {
    return first != second || first != Fault.HOST_LOST;
  }

  @ParameterizedTest
  @MethodSource("histories")
  void history_withoutFault_isDeliveredExactlyOnce(History history) {
    assertSound(history, Map.of());
  }

  @ParameterizedTest
  @MethodSource("historiesAndFaults")
  void history_withOneFault_losesNothing(History history, Fault fault) {
    assertSound(history, Map.of(fault, 1));
  }

  @ParameterizedTest
  @MethodSource("pairsOfFaults")
  void history_withTwoFaults_losesNothing(Fault first, Fault second) {
    assertSound(AB, budget(List.of(first, second)));
  }

  static Stream<Arguments> observedHistoriesAndFaults() {
    return Stream.of(AB, MIXED)
        .flatMap(
            history ->
                Stream.concat(
                    Stream.of(Arguments.of(history, Map.of())),
                    FAULTS.stream().map(fault -> Arguments.of(history, Map.of(fault, 1)))));
  }

  /** All copies of the brokers that are left arrive, and no more unless there is a fault. */
  @ParameterizedTest
  @MethodSource("observedHistoriesAndFaults")
  void observedHistory_withAtMostOneFault_arrivesWhole(
      History history, Map<Fault, Integer> faults) {
    Explorer.Result result = new Explorer(history, faults, Set.of(), true, LIMIT).explore("LOSS");

    assertThat(result.complete()).isTrue();
    assertThat(result.ends()).isPositive();
    assertThat(result.findings()).isEmpty();
  }

  @Test
  void revocation_isRememberedForBatchesThatAreDeliveredLate() {
    assertSound(LATE, budget(List.of(Fault.HOST_LOST, Fault.WINDOW_PASSES)));
    assertSound(LATE, budget(List.of(Fault.HOST_LOST, Fault.WINDOW_PASSES, Fault.CHANNEL_LOST)));
  }

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
        trap(
            BrokenClause.LAPSED_BRIDGE_IS_JUDGED,
            "STALL",
            Fault.JUDGEMENT_DELAYED,
            Fault.BRIDGE_DIES),
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
        Stream.of(AB, ABB, AAB)
            .anyMatch(
                history ->
                    new Explorer(history, budget(faults), Set.of(clause), LIMIT)
                        .explore(finding)
                        .findings()
                        .containsKey(finding));

    assertThat(found).as("%s is found by %s", clause, faults).isTrue();
  }

  @Test
  void pendingRecord_evicted_isFoundOut() {
    Explorer.Result result =
        new Explorer(
                AB, budget(List.of(Fault.PENDING_RECORD_EVICTED, Fault.HOST_LOST)), Set.of(), LIMIT)
            .explore("LOSS");

    assertThat(result.findings()).containsKey("LOSS");
  }

  private static Map<Fault, Integer> budget(List<Fault> faults) {
    Map<Fault, Integer> budget = new EnumMap<>(Fault.class);
    faults.forEach(fault -> budget.merge(fault, 1, Integer::sum));
    return budget;
  }

  private static void assertSound(History history, Map<Fault, Integer> faults) {
    Explorer.Result result = new Explorer(history, faults, Set.of(), LIMIT).explore("LOSS");

    assertThat(result.complete()).isTrue();
    assertThat(result.ends()).isPositive();
    assertThat(result.findings()).isEmpty();
  }
}
