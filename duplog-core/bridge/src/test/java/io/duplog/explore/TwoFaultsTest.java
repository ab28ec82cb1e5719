package io.duplog.explore;

import static io.duplog.explore.ExplorerTest.FAULTS;

import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Tests that bridges lose no message in any order of events with two faults. The class is separate
 * from {@link ExplorerTest} so that both can run at the same time, in processes of their own.
 */
@Tag("slow")
class TwoFaultsTest {
  /**
   * Returns pairs of faults. The list leaves some pairs out: with one message there is hardly more
   * than one record to evict, and a failover is explored by itself.
   */
  static Stream<Arguments> pairsOfFaults() {
    List<Fault> faults =
        FAULTS.stream()
            .filter(fault -> ExplorerTest.tellsMore(fault, Setting.ENFORCING, History.AB))
            .filter(fault -> fault != Fault.DELIVERED_HASH_EVICTED && fault != Fault.FAILED_OVER)
            .toList();
    return faults.stream()
        .flatMap(
            first ->
                faults.stream()
                    .filter(second -> second.compareTo(first) >= 0)
                    // If both hosts are lost, there is no bridge left that could deliver.
                    .filter(second -> first != second || first != Fault.HOST_LOST)
                    .map(second -> Arguments.of(first, second)));
  }

  @ParameterizedTest
  @MethodSource("pairsOfFaults")
  void history_withTwoFaults_losesNothing(Fault first, Fault second) {
    ExplorerTest.assertSound(Setting.ENFORCING, History.AB, List.of(first, second));
  }
}
