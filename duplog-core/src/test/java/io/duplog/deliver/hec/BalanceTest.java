package io.duplog.deliver.hec;

import static io.duplog.deliver.hec.FakeCollector.breaks;
import static java.util.concurrent.TimeUnit.MILLISECONDS;
import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** When a request leaves, and to which URL. */
class BalanceTest {

  /** A collector that takes so long, by the stage's clock. */
  private static FakeCollector.Behaviour slow(HecStage stage, long time, TimeUnit unit) {
    return (collector, post) -> {
      stage.pass(time, unit);
      return collector.index(post);
    };
  }

  @Test
  void singleMessage_leavesAtOnce_whenNothingIsInFlight() {
    HecStage stage = HecStage.of(1, "linger: 1s\n");
    stage.settle();
    stage.deliver("p", "a");
    assertThat(stage.step(0)).isZero();
    stage.assertAccepted().containsExactly("p");
  }

  @Test
  void partialRequest_waitsWhileAnotherIsInFlight_untilItLingered() {
    HecStage stage = HecStage.of(1, "linger: 20ms\nrequests-per-url: 2\n");
    stage.settle();
    stage.meets(
        (collector, post) -> {
          stage.deliver("q", "b");
          assertThat(stage.step(1)).isEqualTo(MILLISECONDS.toNanos(20));
          stage.pass(15, MILLISECONDS).deliver("r", "c");
          assertThat(stage.step(1)).isEqualTo(MILLISECONDS.toNanos(5));
          stage.pass(5, MILLISECONDS);
          assertThat(stage.step(1)).isZero();
          return collector.index(post);
        });
    stage.deliver("p", "a");
    stage.settle();
    stage.assertIndexed().containsExactly("b", "c", "a");
    stage.assertAccepted().containsExactly("q", "r", "p");
  }

  @Test
  void fullRequest_leavesAtOnce_whileAnotherIsInFlight() {
    HecStage stage = HecStage.of(1, "max-events: 2\nrequests-per-url: 2\n");
    stage.settle();
    stage.meets(
        (collector, post) -> {
          stage.deliver("q", "b");
          assertThat(stage.step(1)).isPositive();
          stage.deliver("r", "c", "d");
          assertThat(stage.step(1)).isZero();
          assertThat(stage.step(1)).isPositive();
          return collector.index(post);
        });
    stage.deliver("p", "a");
    stage.settle();
    stage.assertIndexed().containsExactly("b", "c", "a", "d");
  }

  @Test
  void failedRequest_isTakenOverByTheOtherUrl_beforeAnythingElse() {
    HecStage stage = HecStage.of(2, "max-events: 2\n");
    stage.settle();
    stage.deliver("p", "a", "b", "c", "d");
    stage.collector().unreachable = new IOException("Connection refused");
    stage.step(0);
    assertThat(stage.sink.isAvailable()).isTrue();
    stage.settle();
    assertThat(stage.collectors.get(1).indexed).containsExactly("a", "b", "c", "d");
    stage.assertAccepted().containsExactly("p");

    stage.collector().unreachable = null;
    stage.pass(1, SECONDS).settle();
    stage.deliver("q", "e");
    stage.step(0);
    stage.assertIndexed().containsExactly("e");
  }

  @Test
  void sickUrl_isTriedByOneLaneOnly_andItsSuccessBringsAllBack() {
    HecStage stage = HecStage.of(1, "max-events: 1\nrequests-per-url: 3\n");
    stage.settle();
    stage.collector().failsAll(FakeCollector.reply(503, 9));
    stage.deliver("p", "a", "b", "c", "d");
    stage.settle();
    assertThat(stage.collector().posts).hasSize(1);
    int checks = stage.collector().healthChecks;
    stage.pass(1, SECONDS).settle();
    assertThat(stage.collector().healthChecks).isEqualTo(checks + 1);
    stage.collector().isWell();
    stage.pass(1, SECONDS).settle();
    assertThat(stage.collector().healthChecks).isEqualTo(checks + 2);
    stage.assertIndexed().containsExactlyInAnyOrder("a", "b", "c", "d");
  }

  @Test
  void lateFailureOfTheSameOutage_doesNotProlongThePause() {
    HecStage stage = HecStage.of(1, "retry-min: 100ms\nrequests-per-url: 2\nmax-events: 1\n");
    stage.settle();
    stage.deliver("p", "a", "b");
    stage.meets(
        (collector, post) -> {
          stage.step(1); // fails first
          return FakeCollector.reply(503, 9);
        });
    stage.meets(breaks());
    stage.collector().failsAll(FakeCollector.reply(503, 9));
    stage.step(0);
    assertThat(stage.step(0)).isLessThanOrEqualTo(MILLISECONDS.toNanos(100));
    stage.collector().isWell();
    stage.pass(100, MILLISECONDS).settle();
    stage.assertAccepted().containsExactly("p");
  }

  @Test
  void lateSuccess_ofARequestFromBeforeTheOutage_doesNotEndIt() {
    HecStage stage = HecStage.of(1, "requests-per-url: 2\nmax-events: 1\n");
    stage.settle();
    stage.deliver("p", "a", "b");
    stage.meets(
        (collector, post) -> {
          stage.step(1); // fails
          return collector.index(post);
        });
    stage.meets(breaks());
    stage.collector().failsAll(FakeCollector.reply(503, 9));
    stage.step(0);
    stage.assertIndexed().containsExactly("a");
    assertThat(stage.sink.isAvailable()).isFalse();
  }

  @Test
  void urlThatIsMuchSlowerThanAnother_isLeftOut_andTakenBackWhenItIsNot() {
    HecStage stage = HecStage.of(2, "max-events: 1\n");
    FakeCollector slow = stage.collectors.get(0);
    stage.collectors.get(1).always = slow(stage, 10, MILLISECONDS);
    slow.always = slow(stage, 2, SECONDS);
    stage.settle();
    stage.deliver("p", "a", "b");
    stage.step(1);
    stage.step(0);
    stage.deliver("q", "c", "d");
    assertThat(stage.step(0)).as("left out").isPositive();
    assertThat(stage.step(1)).isZero();
    assertThat(stage.sink.isAvailable()).isTrue();
    // Its trial is as slow as before: the pause grows.
    stage.pass(1, SECONDS).deliver("r", "e");
    stage.step(0);
    assertThat(stage.step(0)).isBetween(MILLISECONDS.toNanos(250), MILLISECONDS.toNanos(500));

    slow.always = FakeCollector::index;
    stage.pass(1, SECONDS).deliver("s", "f", "g");
    stage.step(0);
    stage.step(0);
    stage.settle();
    assertThat(slow.indexed).contains("f", "g");
    stage.assertAccepted().containsExactlyInAnyOrder("p", "q", "r", "s");
  }

  @Test
  void slowUrl_isGoodEnough_whenTheOtherOneFails() {
    HecStage stage = HecStage.of(2, "max-events: 1\n");
    stage.collectors.get(1).always = slow(stage, 10, MILLISECONDS);
    stage.collectors.get(0).always = slow(stage, 5, SECONDS);
    stage.settle();
    stage.deliver("p", "a", "b");
    stage.step(1);
    stage.step(0);
    assertThat(stage.step(0)).isPositive();
    stage.collectors.get(1).unreachable = new IOException("Connection refused");
    stage.deliver("q", "c");
    stage.step(1);
    assertThat(stage.step(0)).isZero();
    stage.assertAccepted().containsExactly("p", "q");
  }

  @Test
  void uniformlySlowUrls_areNotLeftOut() {
    HecStage stage = HecStage.of(2, "max-events: 1\n");
    stage.collectors.forEach(collector -> collector.always = slow(stage, 5, SECONDS));
    stage.settle();
    for (int i = 0; i < 10; i++) {
      stage.deliver("p" + i, "a");
      assertThat(stage.step(i % 2)).isZero();
    }
    stage.assertAccepted().hasSize(10);
  }
}
