package io.duplog.deliver.hec;

import static io.duplog.deliver.hec.FakeCollector.reply;
import static io.duplog.deliver.hec.FakeCollector.resetsConnection;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import org.junit.jupiter.api.Test;

/** Tests when the HEC sink sends a request, and which of several URLs it chooses. */
class BalanceTest {

  /** Returns the behaviour of a collector with this latency, by the stage's clock. */
  private static FakeCollector.Behaviour slow(HecStage stage, long millis) {
    return (collector, post) -> {
      stage.pass(millis);
      return collector.index(post);
    };
  }

  @Test
  void partialRequest_whileAnotherIsInFlight_waitsForLingerTime() {
    HecStage stage = HecStage.of(1, "linger: 20ms\nrequests-per-url: 2\n");
    stage.onNextPosts(
        (collector, post) -> {
          assertThat(stage.deliver("q", "b").step(1)).isEqualTo(20);
          assertThat(stage.pass(15).deliver("r", "c").step(1)).isEqualTo(5);
          assertThat(stage.pass(5).step(1)).isZero();
          return collector.index(post);
        });
    stage.deliver("p", "a").settle().expect("indexed=[b, c, a], accepted=[q, r, p]");
  }

  @Test
  void fullRequest_whileAnotherIsInFlight_isSentImmediately() {
    HecStage stage = HecStage.of(1, "max-events: 2\nrequests-per-url: 2\n");
    stage.onNextPosts(
        (collector, post) -> {
          assertThat(stage.deliver("q", "b").step(1)).isPositive();
          assertThat(stage.deliver("r", "c", "d").step(1)).isZero();
          assertThat(stage.step(1)).isPositive();
          return collector.index(post);
        });
    stage.deliver("p", "a").settle().expect("indexed=[b, c, a, d], accepted=[q, p, r]");
  }

  @Test
  void failedRequest_isResentFirst_byOtherUrl() {
    HecStage stage = HecStage.of(2, "max-events: 2\n").deliver("p", "a", "b", "c", "d");
    stage.collector().unreachable = new IOException("Connection refused");
    stage.step(0);
    assertThat(stage.sink.isAvailable()).isTrue();
    stage.settle().expect("accepted=[p]");
    assertThat(stage.collectors.get(1).indexed).containsExactly("a", "b", "c", "d");

    stage.collector().unreachable = null;
    stage.pass(1000).settle().deliver("q", "e").step(0);
    stage.expect("indexed=[e], accepted=[p, q]");
  }

  @Test
  void failedUrl_isProbedByOneSender_andSuccessReactivatesAll() {
    HecStage stage = HecStage.of(1, "max-events: 1\nrequests-per-url: 3\n");
    stage.collector().failAll(reply(503, 9));
    stage.deliver("p", "a", "b", "c", "d").settle();
    assertThat(stage.collector().posts).hasSize(1);
    int checks = stage.collector().healthChecks;
    stage.pass(1000).settle();
    assertThat(stage.collector().healthChecks).isEqualTo(checks + 1);
    stage.collector().recover();
    stage.pass(1000).settle();
    assertThat(stage.collector().healthChecks).isEqualTo(checks + 2);
    stage.assertIndexed().containsExactlyInAnyOrder("a", "b", "c", "d");
  }

  @Test
  void lateFailure_inSameOutage_doesNotExtendPause() {
    HecStage stage = HecStage.of(1, "retry-min: 100ms\nrequests-per-url: 2\nmax-events: 1\n");
    stage.deliver("p", "a", "b");
    stage.onNextPosts(
        (collector, post) -> {
          stage.step(1); // fails first
          return reply(503, 9);
        },
        resetsConnection());
    stage.collector().failAll(reply(503, 9));
    stage.step(0);
    assertThat(stage.step(0)).isLessThanOrEqualTo(100);
    stage.collector().recover();
    stage.pass(100).settle();
    assertThat(stage.deliveries.accepted()).containsExactly("p");
  }

  @Test
  void lateSuccess_fromBeforeOutage_doesNotEndOutage() {
    HecStage stage = HecStage.of(1, "requests-per-url: 2\nmax-events: 1\n");
    stage.onNextPosts(
        (collector, post) -> {
          stage.step(1); // fails
          return collector.index(post);
        },
        resetsConnection());
    stage.collector().failAll(reply(503, 9));
    stage.deliver("p", "a", "b").step(0);
    stage.expect("indexed=[a]");
    assertThat(stage.sink.isAvailable()).isFalse();
  }

  @Test
  void muchSlowerUrl_isLeftOut_untilItIsFastAgain() {
    HecStage stage = HecStage.of(2, "max-events: 1\n");
    FakeCollector slow = stage.collector();
    slow.always = slow(stage, 2000);
    stage.collectors.get(1).always = slow(stage, 10);
    stage.deliver("p", "a", "b").step(1);
    stage.step(0);
    assertThat(stage.deliver("q", "c", "d").step(0)).as("left out").isPositive();
    assertThat(stage.step(1)).isZero();
    assertThat(stage.sink.isAvailable()).isTrue();
    // Its probe is as slow as before, so the pause grows.
    stage.pass(1000).deliver("r", "e").step(0);
    assertThat(stage.step(0)).isBetween(250L, 500L);

    slow.always = FakeCollector::index;
    stage.pass(1000).deliver("s", "f", "g").step(0);
    stage.step(0);
    stage.settle().assertIndexed().contains("f", "g");
    assertThat(stage.deliveries.accepted()).containsExactlyInAnyOrder("p", "q", "r", "s");
  }

  @Test
  void slowUrl_isUsed_ifTheOtherFails() {
    HecStage stage = HecStage.of(2, "max-events: 1\n");
    stage.collectors.get(1).always = slow(stage, 10);
    stage.collector().always = slow(stage, 5000);
    stage.deliver("p", "a", "b").step(1);
    stage.step(0);
    assertThat(stage.step(0)).isPositive();
    stage.collectors.get(1).unreachable = new IOException("Connection refused");
    stage.deliver("q", "c").step(1);
    assertThat(stage.step(0)).isZero();
    assertThat(stage.deliveries.accepted()).containsExactly("p", "q");
  }

  @Test
  void uniformlySlowUrls_areNotLeftOut() {
    HecStage stage = HecStage.of(2, "max-events: 1\n");
    stage.collectors.forEach(collector -> collector.always = slow(stage, 5000));
    for (int i = 0; i < 10; i++) {
      assertThat(stage.deliver("p" + i, "a").step(i % 2)).isZero();
    }
    assertThat(stage.deliveries.accepted()).hasSize(10);
  }
}
