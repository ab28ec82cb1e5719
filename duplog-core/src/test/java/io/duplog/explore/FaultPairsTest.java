package io.duplog.explore;

import static io.duplog.explore.Soundness.assertSound;

import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

@Execution(ExecutionMode.CONCURRENT)
class FaultPairsTest {
  /** With one message there is little more than one record; a failover is explored by itself. */
  private static final Set<Fault> EXCLUDED =
      EnumSet.of(Fault.DELIVERED_HASH_EVICTED, Fault.FAILED_OVER);

  static Stream<Arguments> pairsOfFaults() {
    List<Fault> faults =
        Soundness.faultsOf(History.AB).filter(fault -> !EXCLUDED.contains(fault)).toList();
    return faults.stream()
        .flatMap(
            first ->
                faults.stream()
                    .filter(second -> second.compareTo(first) >= 0)
                    .filter(second -> isExplorable(first, second))
                    .map(second -> Arguments.of(first, second)));
  }

  /** With both hosts lost there is nobody left who could deliver. */
  private static boolean isExplorable(Fault first, Fault second) {
    return first != second || first != Fault.HOST_LOST;
  }

  @ParameterizedTest
  @MethodSource("pairsOfFaults")
  void history_withTwoFaults_losesNothing(Fault first, Fault second) {
    assertSound(History.AB, Fault.each(List.of(first, second)));
  }
}
