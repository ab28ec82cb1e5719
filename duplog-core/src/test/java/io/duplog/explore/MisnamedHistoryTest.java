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

/** One of two bridges takes each node for the other, and so counts nothing of what it is given. */
@Execution(ExecutionMode.CONCURRENT)
class MisnamedHistoryTest {

  static Stream<Arguments> historiesAndFaults() {
    return Stream.of(History.AB, History.ABB)
        .flatMap(
            history ->
                Stream.concat(
                    Stream.of(Arguments.of(history, Map.of())),
                    Soundness.faultsOf(history)
                        .filter(
                            fault ->
                                fault != Fault.FAILED_OVER) // as any bridge; 300 times the states
                        .map(fault -> Arguments.of(history, Fault.each(List.of(fault))))));
  }

  @ParameterizedTest
  @MethodSource("historiesAndFaults")
  void history_ofWhichOneBridgeCountsNothing_losesNothing(
      History history, Map<Fault, Integer> faults) {
    assertSound(new Explorer(history, faults, Set.of(), Setting.MISNAMED));
  }
}
