package io.duplog.explore;

import static io.duplog.explore.Soundness.assertSound;

import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

@Execution(ExecutionMode.CONCURRENT)
class ExplorerTest {

  static Stream<History> histories() {
    return Stream.of(
        History.AB,
        History.ABB,
        History.AAB,
        History.MIXED,
        History.THREE,
        History.THREE_UNEVEN,
        History.THREE_TWICE);
  }

  @ParameterizedTest
  @MethodSource("histories")
  void history_withoutFault_isDeliveredExactlyOnce(History history) {
    assertSound(history, Map.of());
  }

  static Stream<Arguments> historiesAndFaults() {
    return Stream.of(History.AB, History.ABB, History.MIXED, History.THREE)
        .flatMap(history -> Soundness.faultsOf(history).map(fault -> Arguments.of(history, fault)));
  }

  @ParameterizedTest
  @MethodSource("historiesAndFaults")
  void history_withOneFault_losesNothing(History history, Fault fault) {
    assertSound(history, Map.of(fault, 1));
  }

  @Test
  void failover_beforeAHostIsLost_losesNothing() {
    assertSound(History.AB, Fault.each(List.of(Fault.FAILED_OVER, Fault.HOST_LOST)));
  }

  @Test
  void revocation_isRememberedForBatchesThatAreDeliveredLate() {
    assertSound(History.LATE, Fault.each(List.of(Fault.HOST_LOST, Fault.WINDOW_PASSES)));
    assertSound(
        History.LATE,
        Fault.each(List.of(Fault.HOST_LOST, Fault.WINDOW_PASSES, Fault.CHANNEL_LOST)));
  }
}
