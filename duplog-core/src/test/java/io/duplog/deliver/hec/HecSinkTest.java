package io.duplog.deliver.hec;

import static io.duplog.deliver.hec.FakeCollector.breaks;
import static io.duplog.deliver.hec.FakeCollector.says;
import static java.util.concurrent.TimeUnit.MILLISECONDS;
import static java.util.concurrent.TimeUnit.NANOSECONDS;
import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;

import io.duplog.deliver.DeliveryRequest;
import io.duplog.deliver.DeliveryRequests;
import java.io.IOException;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What the sink makes of each answer: for one URL and one connection, without acknowledgement. */
class HecSinkTest {
  @Test
  void deliveries_areSentTogether_andAccepted() {
    HecStage stage = HecStage.of(1, "");
    stage.deliver("p", "a", "b");
    stage.deliver("q", "c");
    assertThat(stage.deliveries.accepted()).isEmpty();
    stage.settle();
    assertThat(stage.collector().posts).hasSize(1);
    assertThat(stage.collector().indexed).containsExactly("a", "b", "c");
    assertThat(stage.deliveries.accepted()).containsExactly("p", "q");
  }

  @Test
  void delivery_largerThanARequest_isSplit_andAcceptedWithItsLastPart() {
    HecStage stage = HecStage.of(1, "max-events: 3\n");
    String[] all = HecStage.numbered(8);
    stage.deliver("p", all);
    stage.step(0);
    stage.step(0);
    assertThat(stage.deliveries.accepted()).isEmpty();
    stage.settle();
    assertThat(stage.collector().posts).hasSize(3);
    assertThat(stage.collector().indexed).containsExactly(all);
    assertThat(stage.deliveries.accepted()).containsExactly("p");
  }

  @Test
  void request_holdsNoMoreBytesThanAllowed_butOneEventThatIsLarger() {
    HecStage stage = HecStage.of(1, "max-bytes: 1KiB\n");
    String large = "x".repeat(5000);
    stage.deliver("p", "y".repeat(600), "z".repeat(600), large, "a", "b");
    stage.settle();
    assertThat(stage.collector().posts).hasSize(4);
    assertThat(stage.collector().posts.stream().filter(post -> post.length() > 1024)).hasSize(1);
    assertThat(stage.collector().indexed)
        .containsExactly("y".repeat(600), "z".repeat(600), large, "a", "b");
    assertThat(stage.deliveries.accepted()).containsExactly("p");
  }

  @Test
  void unchosenMessages_areNotSent() {
    HecStage stage = HecStage.of(1, "max-events: 2\n");
    BitSet chosen = new BitSet();
    chosen.set(1);
    chosen.set(3, 5);
    stage.sink.deliver(
        stage.deliveries.of(
            "p", DeliveryRequests.batch(false, "a", "b", "c", "d", "e", "f"), chosen));
    stage.settle();
    assertThat(stage.collector().indexed).containsExactly("b", "d", "e");
    assertThat(stage.deliveries.accepted()).containsExactly("p");
  }

  @ParameterizedTest
  @CsvSource({
    "503, 9", "503, 18", "503, 19", "503, 20", "503, 23", "500, 8", "429, 26", "429, 27", "408, -1",
    "502, -1", "504, -1", "404, -1"
  })
  void passingFailure_isTriedAgain_untilItWorks(int status, int code) {
    HecStage stage = HecStage.of(1, "retry-min: 100ms\nretry-max: 1s\n");
    stage.settle();
    stage.deliver("p", "a", "b");
    stage.collector().failsAll(FakeCollector.reply(status, code));
    for (int i = 0; i < 25; i++) {
      stage.settle();
      assertThat(stage.sink.isAvailable()).isFalse();
      stage.pass(1, SECONDS);
    }
    stage.collector().isWell();
    stage.settle();
    assertThat(stage.collector().posts).hasSize(2);
    assertThat(stage.collector().indexed).containsExactly("a", "b");
    assertThat(stage.deliveries.accepted()).containsExactly("p");
    assertThat(stage.sink.isAvailable()).isTrue();
  }

  @Test
  void brokenConnection_isTriedAgain() {
    HecStage stage = HecStage.of(1, "");
    stage.deliver("p", "a");
    stage.collector().script.add(breaks());
    stage.settle().pass(1, SECONDS).settle();
    assertThat(stage.collector().indexed).containsExactly("a");
    assertThat(stage.deliveries.accepted()).containsExactly("p");
  }

  @Test
  void pauses_growToTheirBound() {
    HecStage stage = HecStage.of(1, "retry-min: 100ms\nretry-max: 2s\n");
    stage.collector().unreachable = new IOException("Connection refused");
    List<Long> millis = new ArrayList<>();
    for (int i = 0; i < 8; i++) {
      stage.step(0);
      long pause = stage.step(0);
      millis.add(NANOSECONDS.toMillis(pause));
      stage.nanos += pause;
    }
    int[] longest = {100, 200, 400, 800, 1600, 2000, 2000, 2000};
    for (int i = 0; i < longest.length; i++) {
      assertThat(millis.get(i)).isBetween(longest[i] / 2L, (long) longest[i]);
    }
  }

  @Test
  void retryAfter_isKept() {
    HecStage stage = HecStage.of(1, "");
    stage.settle();
    stage.deliver("p", "a");
    stage.collector().failsAll(new Reply(503, "20", null, new byte[0]));
    stage.settle();
    assertThat(stage.step(0)).isEqualTo(SECONDS.toNanos(20));
    stage.collector().isWell();
    stage.pass(19, SECONDS).settle();
    assertThat(stage.collector().posts).hasSize(1);
    stage.pass(1, SECONDS).settle();
    assertThat(stage.deliveries.accepted()).containsExactly("p");
  }

  @Test
  void retryAfter_ofAUrlThatPassesRequestsWithoutEvents_isKeptForTwoSecondsAtMost() {
    HecStage stage = HecStage.of(1, "");
    stage.settle();
    stage.deliver("p", "a");
    stage.collector().script.add((collector, post) -> new Reply(503, "300", null, new byte[0]));
    stage.settle();
    stage.pass(1, SECONDS).settle();
    assertThat(stage.deliveries.accepted()).isEmpty();
    stage.pass(1, SECONDS).settle();
    assertThat(stage.deliveries.accepted()).containsExactly("p");
  }

  @Test
  void wrongToken_isNoticedBeforeThereIsAnythingToSend() {
    HecStage stage = HecStage.of(1, "");
    stage.collector().toNothing = FakeCollector.reply(403, 4);
    assertThat(stage.sink.isAvailable()).isTrue(); // nobody knows yet
    stage.settle();
    assertThat(stage.sink.isAvailable()).isFalse();
    stage.collector().toNothing = FakeCollector.reply(400, 5);
    stage.pass(1, SECONDS).settle();
    assertThat(stage.sink.isAvailable()).isTrue();
  }

  @ParameterizedTest
  @ValueSource(ints = {400, 404, 405})
  void healthPageThatIsMissing_isNoFailure(int status) {
    HecStage stage = HecStage.of(1, "");
    stage.collector().health = FakeCollector.reply(status, -1);
    stage.deliver("p", "a");
    stage.settle();
    assertThat(stage.deliveries.accepted()).containsExactly("p");
  }

  @ParameterizedTest
  @ValueSource(ints = {503, 401, 403, 302})
  void healthPageThatSaysIll_keepsEventsBack(int status) {
    HecStage stage = HecStage.of(1, "");
    stage.collector().health = FakeCollector.reply(status, 18);
    stage.deliver("p", "a");
    stage.settle();
    assertThat(stage.collector().posts).isEmpty();
    stage.collector().health = FakeCollector.reply(200, 17);
    stage.pass(1, SECONDS).settle();
    assertThat(stage.deliveries.accepted()).containsExactly("p");
  }

  @Test
  void tokenThatWantsAChannel_isNoticedBeforeAnythingIsSent() {
    HecStage stage = HecStage.of(1, "");
    stage.collector().toNothing = FakeCollector.reply(400, 10);
    stage.deliver("p", "a");
    stage.sink.withdraw();
    stage.settle();
    assertThat(stage.collector().posts).isEmpty();
    assertThat(stage.sink.isAvailable()).isFalse();
  }

  @ParameterizedTest
  @ValueSource(ints = {24, 25})
  void almostFullSplunk_hasAccepted_andGetsLess(int code) {
    HecStage stage = HecStage.of(1, "");
    stage.settle();
    stage.collector().script.add(says(200, code));
    stage.deliver("p", "a");
    stage.settle();
    assertThat(stage.deliveries.accepted()).containsExactly("p");
    stage.deliver("q", "b");
    assertThat(stage.step(0)).isBetween(MILLISECONDS.toNanos(125), MILLISECONDS.toNanos(250));
    assertThat(stage.sink.isAvailable()).isTrue();
    stage.pass(250, MILLISECONDS).settle();
    assertThat(stage.deliveries.accepted()).containsExactly("p", "q");
  }

  @Test
  void passage_standsInTheFields() {
    HecStage stage = HecStage.of(1, "");
    BitSet one = new BitSet();
    one.set(1);
    for (DeliveryRequest.Passage passage : DeliveryRequest.Passage.values()) {
      stage.sink.deliver(
          stage.deliveries.of("p", DeliveryRequests.batch(false, "a", "b"), one, passage));
    }
    stage.settle();
    List<Event> events = FakeCollector.events(stage.collector().posts.get(0));
    assertThat(events.get(0).members()).doesNotContainKey("fields.dedup");
    assertThat(events.get(1).members())
        .containsEntry("fields.dedup", "bypassed")
        .containsEntry("fields.stream", "syslog-a")
        .containsEntry("fields.digest", "digest-1");
    assertThat(events.get(2).members()).containsEntry("fields.dedup", "released");
    assertThat(events.get(3).members())
        .containsEntry("fields.dedup", "observed")
        .containsEntry("fields.digest", "digest-1");
  }
}
