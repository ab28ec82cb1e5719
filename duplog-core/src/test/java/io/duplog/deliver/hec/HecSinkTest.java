package io.duplog.deliver.hec;

import static io.duplog.deliver.hec.FakeCollector.says;
import static java.util.concurrent.TimeUnit.MILLISECONDS;
import static java.util.concurrent.TimeUnit.NANOSECONDS;
import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.duplog.deliver.DeliveryRequest;
import io.duplog.deliver.DeliveryRequests;
import java.io.IOException;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
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
    stage.assertAccepted().isEmpty();
    stage.settle();
    assertThat(stage.collector().posts).hasSize(1);
    stage.assertIndexed().containsExactly("a", "b", "c");
    stage.assertAccepted().containsExactly("p", "q");
  }

  @Test
  void delivery_largerThanARequest_isSplit_andAcceptedWithItsLastPart() {
    HecStage stage = HecStage.of(1, "max-events: 3\n");
    String[] all = HecStage.numbered(8);
    stage.deliver("p", all);
    stage.step(0);
    stage.step(0);
    stage.assertAccepted().isEmpty();
    stage.settle();
    assertThat(stage.collector().posts).hasSize(3);
    stage.assertIndexed().containsExactly(all);
    stage.assertAccepted().containsExactly("p");
  }

  @Test
  void request_holdsNoMoreBytesThanAllowed_butOneEventThatIsLarger() {
    HecStage stage = HecStage.of(1, "max-bytes: 1KiB\n");
    String large = "x".repeat(5000);
    stage.deliver("p", "y".repeat(600), "z".repeat(600), large, "a", "b");
    stage.settle();
    assertThat(stage.collector().posts).hasSize(4);
    assertThat(stage.collector().posts.stream().filter(post -> post.length() > 1024)).hasSize(1);
    stage.assertIndexed().containsExactly("y".repeat(600), "z".repeat(600), large, "a", "b");
    stage.assertAccepted().containsExactly("p");
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
    stage.assertIndexed().containsExactly("b", "d", "e");
    stage.assertAccepted().containsExactly("p");
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
    stage.assertIndexed().containsExactly("a", "b");
    stage.assertAccepted().containsExactly("p");
    assertThat(stage.sink.isAvailable()).isTrue();
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

  /** A URL that passes requests without events has its wish kept for two seconds at most. */
  @ParameterizedTest
  @CsvSource({"true, 20, 20", "false, 300, 2"})
  void retryAfter_isKept(boolean failsAll, String header, int seconds) {
    HecStage stage = HecStage.of(1, "");
    stage.settle();
    stage.deliver("p", "a");
    Reply busy = new Reply(503, header, null, null, new byte[0]);
    if (failsAll) {
      stage.collector().failsAll(busy);
    } else {
      stage.meets((collector, post) -> busy);
    }
    stage.settle();
    stage.collector().isWell();
    stage.pass(seconds - 1, SECONDS).settle();
    assertThat(stage.collector().posts).hasSize(1);
    stage.pass(1, SECONDS).settle();
    stage.assertAccepted().containsExactly("p");
  }

  /** Code 10 wants a channel. */
  @ParameterizedTest
  @CsvSource({"403, 4", "400, 10"})
  void wrongToken_isNoticedBeforeThereIsAnythingToSend(int status, int code) {
    HecStage stage = HecStage.of(1, "");
    stage.collector().toNothing = FakeCollector.reply(status, code);
    assertThat(stage.sink.isAvailable()).isTrue(); // nobody knows yet
    stage.settle();
    assertThat(stage.sink.isAvailable()).isFalse();
    stage.collector().isWell();
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
    stage.assertAccepted().containsExactly("p");
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
    stage.assertAccepted().containsExactly("p");
  }

  @ParameterizedTest
  @ValueSource(ints = {24, 25})
  void almostFullSplunk_hasAccepted_andGetsLess(int code) {
    HecStage stage = HecStage.of(1, "");
    stage.settle();
    stage.meets(says(200, code));
    stage.deliver("p", "a");
    stage.settle();
    stage.assertAccepted().containsExactly("p");
    stage.deliver("q", "b");
    assertThat(stage.step(0)).isBetween(MILLISECONDS.toNanos(125), MILLISECONDS.toNanos(250));
    assertThat(stage.sink.isAvailable()).isTrue();
    stage.pass(250, MILLISECONDS).settle();
    stage.assertAccepted().containsExactly("p", "q");
  }

  @ParameterizedTest
  @CsvSource({
    "KEPT, , , ",
    "BYPASSED, bypassed, syslog-a, digest-1",
    "RELEASED, released, syslog-a, digest-1",
    "OBSERVED, observed, syslog-a, digest-1"
  })
  void passage_standsInTheFields(
      DeliveryRequest.Passage passage,
      @Nullable String dedup,
      @Nullable String stream,
      @Nullable String digest) {
    HecStage stage = HecStage.of(1, "");
    BitSet one = new BitSet();
    one.set(1);
    stage.sink.deliver(
        stage.deliveries.of("p", DeliveryRequests.batch(false, "a", "b"), one, passage));
    stage.settle();
    Map<String, String> members =
        FakeCollector.events(stage.collector().posts.get(0)).get(0).members();
    assertThat(members.get("fields.dedup")).isEqualTo(dedup);
    assertThat(members.get("fields.stream")).isEqualTo(stream);
    assertThat(members.get("fields.digest")).isEqualTo(digest);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "h:8088",
        "ftp://h",
        "http://",
        "https://u:p@h",
        "https://h?x",
        "https://h/#x",
        "http://h h"
      })
  void url_thatIsNone_isRefused(String url) {
    assertThatThrownBy(() -> HecStage.config("urls: ['" + url + "']\ntoken: t\n"))
        .hasMessageContaining("urls");
    assertThat(HecStage.config("urls: ['https://h:8088/a@b/']\ntoken: t\n").bases())
        .containsExactly("https://h:8088/a@b");
  }
}
