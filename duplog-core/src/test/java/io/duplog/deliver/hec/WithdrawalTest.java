package io.duplog.deliver.hec;

import static io.duplog.deliver.hec.FakeCollector.refuses;
import static io.duplog.deliver.hec.FakeCollector.says;
import static java.util.concurrent.TimeUnit.MINUTES;
import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What is given up, wherever it is, is told so once and not sent any more. */
class WithdrawalTest {
  @Test
  void withdrawn_waiting_isToldAndNotSent() {
    HecStage stage = HecStage.of(1, "");
    stage.deliver("p", "a");
    stage.sink.withdraw();
    stage.deliver("q", "b");
    stage.settle();
    assertThat(stage.deliveries.withdrawn()).containsExactly("p");
    stage.assertIndexed().containsExactly("b");
    stage.assertAccepted().containsExactly("q");
  }

  @Test
  void withdrawn_inAPause_isToldAndNotSentAgain_andTheUrlIsTriedAllTheSame() {
    HecStage stage = HecStage.of(1, "");
    stage.settle();
    stage.deliver("p", "a");
    stage.collector().failsAll(FakeCollector.reply(503, 9));
    stage.settle();
    stage.sink.withdraw();
    assertThat(stage.deliveries.withdrawn()).containsExactly("p");
    assertThat(stage.sink.isAvailable()).isFalse();
    stage.collector().isWell();
    stage.pass(1, SECONDS).settle();
    assertThat(stage.sink.isAvailable()).isTrue();
    stage.assertIndexed().isEmpty();
  }

  static Stream<FakeCollector.Behaviour> lateAnswers() {
    return Stream.of(FakeCollector::index, says(503, 9), refuses("a", 400, 12));
  }

  @ParameterizedTest
  @MethodSource("lateAnswers")
  void withdrawn_inFlight_isToldOnce_andItsAnswerIgnored(FakeCollector.Behaviour late) {
    HecStage stage = HecStage.of(1, "");
    stage.settle();
    stage.meets(
        (collector, post) -> {
          stage.sink.withdraw();
          return late.answer(collector, post);
        });
    stage.deliver("p", "a", "b");
    stage.settle().pass(1, MINUTES).settle();
    assertThat(stage.deliveries.withdrawn()).containsExactly("p");
    stage.assertAccepted().isEmpty();
    stage.assertRefused().isEmpty();
    assertThat(stage.collector().posts).hasSize(1);
  }

  @Test
  void withdrawn_whileARefusedMessageIsNotKept_isWithdrawnForGood() {
    HecStage stage = HecStage.of(1, "");
    stage.settle();
    stage.meets(refuses("bad", 400, 12));
    stage.deliver("p", "bad", "a");
    stage.settle();
    stage.sink.withdraw();
    stage.keepRefused();
    assertThat(stage.deliveries.withdrawn()).containsExactly("p");
    stage.assertAccepted().isEmpty();
  }
}
