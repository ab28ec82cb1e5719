package io.duplog.explore;

import static io.duplog.explore.Soundness.assertSound;

import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Bridges with several ledgers: for when Redis is away, or one for each part of the messages. */
@Execution(ExecutionMode.CONCURRENT)
class FallbackHistoryTest {

  static Stream<Arguments> fallbacksAndFaults() {
    return Stream.of(
        Arguments.of(Setting.LOCAL, History.AB, List.of()),
        Arguments.of(Setting.LOCAL, History.MIXED, List.of(Fault.REDIS_AWAY)),
        Arguments.of(Setting.LOCAL, History.AB, List.of(Fault.REDIS_CUT_OFF)),
        Arguments.of(Setting.LOCAL, History.AB, List.of(Fault.REDIS_AWAY, Fault.HOST_LOST)),
        Arguments.of(
            Setting.LOCAL, History.AB, List.of(Fault.REDIS_AWAY, Fault.JUDGEMENT_ANSWER_LOST)),
        Arguments.of(Setting.SPARE, History.AB, List.of()),
        Arguments.of(Setting.SPARE, History.AB, List.of(Fault.REDIS_CUT_OFF)),
        Arguments.of(Setting.SPARE, History.MIXED, List.of(Fault.REDIS_AWAY)),
        Arguments.of(Setting.PARTS, History.PARTED, List.of()),
        Arguments.of(Setting.PARTS, History.PARTED, List.of(Fault.HOST_LOST)),
        Arguments.of(Setting.PARTS, History.PARTED, List.of(Fault.REDIS_CUT_OFF)),
        Arguments.of(Setting.PARTS, History.PARTED, List.of(Fault.REDIS_AWAY)),
        Arguments.of(Setting.PARTS, History.PARTED, List.of(Fault.REDIS_FLUSHED)));
  }

  @ParameterizedTest
  @MethodSource("fallbacksAndFaults")
  void history_whoseBatchesSeveralLedgersCount_losesNothing(
      Setting setting, History history, List<Fault> faults) {
    assertSound(new Explorer(history, Fault.each(faults), Set.of(), setting));
  }
}
