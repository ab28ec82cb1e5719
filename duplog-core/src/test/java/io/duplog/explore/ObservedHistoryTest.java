package io.duplog.explore;

import static io.duplog.explore.Soundness.assertSound;

import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Bridges that deliver what they would drop, too. */
@Execution(ExecutionMode.CONCURRENT)
class ObservedHistoryTest {

  static Stream<Arguments> historiesAndFaults() {
    return Stream.of(History.AB, History.MIXED)
        .flatMap(
            history ->
                Stream.concat(
                    Stream.of(Arguments.of(history, Map.of())),
                    Soundness.faultsOf(history)
                        .map(fault -> Arguments.of(history, Fault.each(List.of(fault))))));
  }

  /**
   * All copies of the brokers that are left arrive, and no more: unless the fault is a cause of
   * duplicates, or a batch comes again, whose observed copies then do as well.
   */
  @ParameterizedTest
  @MethodSource("historiesAndFaults")
  void observedHistory_withAtMostOneFault_arrivesWhole(
      History history, Map<Fault, Integer> faults) {
    assertSound(new Explorer(history, faults, Set.of(), Setting.OBSERVING));
  }
}
