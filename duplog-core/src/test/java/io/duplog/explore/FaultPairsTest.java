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
  private static final Set<Fault> FAULTS = EnumSet.copyOf(Soundness.FAULTS);

  static {
    // With one message there is one digest, and little more than one record.
    FAULTS.remove(Fault.DIGEST_HASH_EVICTED);
    FAULTS.remove(Fault.DELIVERED_HASH_EVICTED);
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
  @MethodSource("pairsOfFaults")
  void history_withTwoFaults_losesNothing(Fault first, Fault second) {
    assertSound(History.AB, Fault.each(List.of(first, second)));
  }
}
