package io.duplog.deliver.hec;

import static io.duplog.deliver.hec.FakeCollector.answers;
import static io.duplog.deliver.hec.FakeCollector.refuses;
import static io.duplog.deliver.hec.FakeCollector.reply;
import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.entry;

import io.duplog.deliver.DeliveryRequest;
import io.duplog.deliver.DeliveryRequests;
import io.duplog.deliver.Payload;
import io.duplog.deliver.hec.answer.Reply;
import io.duplog.deliver.hec.http.Connection;
import io.duplog.observe.EventCounts.Source;
import java.io.IOException;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Tests how the HEC sink forms requests, counts and withdraws deliveries, and reacts to Splunk's
 * answers, step by step and mostly with one connection.
 */
class HecSinkTest {
  private HecStage stage = HecStage.of(1, "");

  @Test
  void deliveries_areSentTogether_andAccepted() {
    stage.deliver("p", "a", "b").deliver("q", "c").settle();
    stage.expect("indexed=[a, b, c], accepted=[p, q]");
    assertThat(stage.collector().posts).hasSize(1);
  }

  /** Allocated in advance, their bodies would need 32 GiB. */
  @Test
  void sendersWithMaximumSettings_allocateMemoryOnDemand() {
    stage = HecStage.of(8, "requests-per-url: 64\nmax-bytes: 64MiB\n");
    stage.deliver("p", "a", "x".repeat(1_000_000)).settle();
    stage.expect("indexed=[a, " + "x".repeat(1_000_000) + "], accepted=[p]");
  }

  @Test
  void acceptedEvents_areCountedBySourcetypeAndHost() {
    stage =
        HecStage.of(
            1,
            "routing: {rules: [{match: {program: [named]}, set: {sourcetype: bind, host: ns-1}}]}\n");
    stage.sink.deliver(
        stage.deliveries.ofSenders(
            "p",
            "10.0.0.1 a",
            "10.0.0.2 <13>Oct 11 22:14:15 web-1 app: b",
            "10.0.0.3 <13>Oct 11 22:14:15 x named: c",
            "10.0.0.1 d"));
    stage.settle();

    assertThat(stage.sink.accepted())
        .containsOnly(
            entry(new Source("syslog", "10.0.0.1"), 2L),
            entry(new Source("syslog", "web-1"), 1L),
            entry(new Source("bind", "ns-1"), 1L));
  }

  @Test
  void acceptedEvents_withAcknowledgement_areCountedOnceAcknowledged() {
    stage = HecStage.of(1, "acknowledge: true\n").deliver("p", "a", "b").settle();
    assertThat(stage.eventsAccepted()).isZero();
    stage.acknowledge(0);
    stage.expect("indexed=[a, b], accepted=[p]");
    assertThat(stage.eventsAccepted()).isEqualTo(2);
  }

  @Test
  void delivery_largerThanRequest_isSplit_andAcceptedWithLastPart() {
    stage = HecStage.of(1, "max-events: 3\n").deliver("p", HecStage.numbered(7));
    stage.step(0);
    stage.step(0);
    stage.expect("indexed=[m0, m1, m2, m3, m4, m5]");
    stage.settle().expect("indexed=[m0, m1, m2, m3, m4, m5, m6], accepted=[p]");
    assertThat(stage.collector().posts).hasSize(3);
  }

  @Test
  void request_staysWithinMaxBytes_exceptForOneLargerEvent() {
    String[] all = {"y".repeat(600), "z".repeat(600), "x".repeat(5000), "a", "b"};
    stage = HecStage.of(1, "max-bytes: 1KiB\n").deliver("p", all).settle();
    stage.expect("indexed=" + List.of(all) + ", accepted=[p]");
    assertThat(stage.collector().posts).hasSize(4);
    assertThat(stage.collector().posts.stream().filter(post -> post.length() > 1024)).hasSize(1);
  }

  @ParameterizedTest
  @CsvSource({"event", "raw"})
  void payload_equalsSentBody(String endpoint) {
    String keys = "endpoint: " + endpoint + "\nrouting: {defaults: {index: i, fields: {a: b}}}\n";
    stage = HecStage.of(1, keys).deliver("p", "<13>a\n\t\"\u00ff", " ");
    DeliveryRequest delivery = stage.deliveries.ofMessages("q", "<13>a\n\t\"\u00ff", " ");
    Payload payload = stage.config.payload(stage.environment.routing());
    byte[] sent = stage.settle().collector().posts.get(0).body();
    assertThat(new String(sent, ISO_8859_1))
        .isEqualTo(
            "%s\n%s\n"
                .formatted(
                    new String(payload.of(delivery, 0), ISO_8859_1),
                    new String(payload.of(delivery, 1), ISO_8859_1)));
  }

  @Test
  void rawRequests_ofWaitingMessages_areOnePerHost() {
    stage = HecStage.of(1, "endpoint: raw\nmax-events: 100\n");
    stage.collector().always = (collector, post) -> reply(200, 0);
    String[] messages = new String[100];
    Arrays.setAll(messages, i -> of("h" + i % 3));
    stage.deliver("p", messages).deliver("q", of("h1"), of("h4"));
    stage.settle();
    assertThat(stage.collector().posts)
        .extracting(post -> post.path().replaceFirst(".*host=", "") + " " + lines(post))
        .containsExactly("h0 34", "h1 33", "h2 33", "h1 1", "h4 1");
    stage.expect("accepted=[p, q]");
  }

  private static String of(String host) {
    return "<13>Oct 11 22:14:15 " + host + " named: a";
  }

  private static long lines(Connection.Post post) {
    return new String(post.body(), ISO_8859_1).lines().count();
  }

  @ParameterizedTest
  @CsvSource({
    "503, 9", "503, 18", "503, 19", "503, 20", "503, 23", "500, 8", "429, 26", "429, 27", "408, -1",
    "502, -1", "504, -1", "404, -1"
  })
  void temporaryFailure_isRetried_untilItSucceeds(int status, int code) {
    stage = HecStage.of(1, "retry-min: 100ms\nretry-max: 1s\n");
    stage.collector().failAll(reply(status, code));
    stage.deliver("p", "a", "b");
    for (int i = 0; i < 25; i++) {
      assertThat(stage.settle().sink.isAvailable()).isFalse();
      stage.pass(1000);
    }
    stage.collector().recover();
    stage.settle().expect("indexed=[a, b], accepted=[p]");
    assertThat(stage.collector().posts).hasSize(2);
    assertThat(stage.sink.isAvailable()).isTrue();
  }

  @Test
  void pauses_growToMaximum() {
    stage = HecStage.unsettled("retry-min: 100ms\nretry-max: 2s\n");
    stage.collector().unreachable = new IOException("Connection refused");
    for (int longest : new int[] {100, 200, 400, 800, 1600, 2000, 2000, 2000}) {
      stage.step(0);
      long pause = stage.step(0);
      assertThat(pause).isBetween(longest / 2L, (long) longest);
      stage.pass(pause);
    }
  }

  /** If a URL accepts empty requests, its Retry-After is limited to two seconds. */
  @ParameterizedTest
  @CsvSource({"true, 20, 20", "false, 300, 2"})
  void retryAfter_isRespected(boolean failsAll, String header, int seconds) {
    Reply busy = new Reply(503, header, null, null, new byte[0], FakeCollector.NO_SECRETS);
    if (failsAll) {
      stage.collector().failAll(busy);
    } else {
      stage.onNextPosts((collector, post) -> busy);
    }
    stage.deliver("p", "a").settle();
    stage.collector().recover();
    stage.pass(1000L * (seconds - 1)).settle().expect("");
    stage.pass(1000).settle().expect("indexed=[a], accepted=[p]");
  }

  /** Code 10 requires a channel; a 200 without a code comes from another server. */
  @ParameterizedTest
  @CsvSource({"403, 4", "400, 10", "200, -1"})
  void wrongToken_isDetected_beforeAnyEventIsSent(int status, int code) {
    stage = HecStage.unsettled("");
    stage.collector().replyToEmpty = reply(status, code);
    assertThat(stage.sink.isAvailable()).isTrue(); // not known yet
    assertThat(stage.settle().sink.isAvailable()).isFalse();
    assertThat(stage.sink.answers().get("misconfigured").getAsLong()).as("for alerts").isOne();
    stage.collector().recover();
    assertThat(stage.idle(1).sink.isAvailable()).isTrue();
  }

  @ParameterizedTest
  @CsvSource({
    "400, -1, true",
    "404, -1, true",
    "405, -1, true",
    "503, 18, false",
    "401, 18, false",
    "403, 18, false",
    "302, 18, false"
  })
  void healthPage_blocksEvents_ifUnhealthy_butNotIfMissing(int status, int code, boolean sends) {
    stage = HecStage.unsettled("");
    stage.collector().health = reply(status, code);
    stage.deliver("p", "a").settle().expect(sends ? "indexed=[a], accepted=[p]" : "");
    stage.collector().recover();
    stage.idle(1).expect("indexed=[a], accepted=[p]");
    assertThat(stage.collector().posts).hasSize(1);
  }

  @ParameterizedTest
  @ValueSource(ints = {24, 25})
  void almostFullSplunk_acceptsEvents_andGetsFewer(int code) {
    stage.onNextPosts(answers(200, code));
    stage.deliver("p", "a").settle().deliver("q", "b");
    assertThat(stage.step(0)).isBetween(125L, 250L);
    stage.expect("accepted=[p]");
    assertThat(stage.sink.isAvailable()).isTrue();
    stage.pass(250).settle().expect("indexed=[b], accepted=[p, q]");
  }

  @ParameterizedTest
  @CsvSource({
    "KEPT, , , ",
    "BYPASSED, bypassed, syslog-a, digest-1",
    "RELEASED, released, syslog-a, digest-1",
    "OBSERVED, observed, syslog-a, digest-1"
  })
  void chosenMessage_isSentAlone_withPassageInFields(
      DeliveryRequest.Passage passage,
      @Nullable String dedup,
      @Nullable String stream,
      @Nullable String digest) {
    BitSet second = BitSet.valueOf(new long[] {0b010});
    stage.sink.deliver(
        stage.deliveries.of("p", DeliveryRequests.batch(false, "a", "b", "c"), second, passage));
    stage.settle().expect("indexed=[b], accepted=[p]");
    Map<String, String> members =
        FakeCollector.events(stage.collector().posts.get(0)).get(0).members();
    assertThat(members.get("fields.dedup")).isEqualTo(dedup);
    assertThat(members.get("fields.stream")).isEqualTo(stream);
    assertThat(members.get("fields.digest")).isEqualTo(digest);
  }

  @Test
  void withdrawnDelivery_whileWaiting_isReported_andNotSent() {
    stage.deliver("p", "a").sink.withdraw();
    stage.deliver("q", "b").settle().expect("indexed=[b], accepted=[q], withdrawn=[p]");
  }

  @Test
  void withdrawnDelivery_duringPause_isNotResent_andUrlIsStillProbed() {
    stage.collector().failAll(reply(503, 9));
    stage.deliver("p", "a").settle().sink.withdraw();
    stage.expect("withdrawn=[p]");
    assertThat(stage.sink.isAvailable()).isFalse();
    stage.collector().recover();
    stage.idle(1).expect("withdrawn=[p]");
    assertThat(stage.sink.isAvailable()).isTrue();
  }

  /** The answer is a success, a temporary failure, or the rejection of an event. */
  @ParameterizedTest
  @CsvSource({"200, 0", "503, 9", "400, 12"})
  void withdrawnDelivery_inFlight_isReportedOnce_andAnswerIsIgnored(int status, int code) {
    stage.onNextPosts(
        (collector, post) -> {
          stage.sink.withdraw();
          return reply(status, code);
        });
    stage.deliver("p", "a").idle(60).expect("withdrawn=[p]");
    assertThat(stage.collector().posts).hasSize(1);
  }

  @Test
  void withdrawnDelivery_beforeRefusedMessageIsStored_staysWithdrawn() {
    stage.onNextPosts(refuses("bad", 12));
    stage.deliver("p", "bad", "a").settle().sink.withdraw();
    stage.keepRefused().expect("indexed=[a], refused=[p-0], withdrawn=[p]");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "", "h:8088", "ftp://h", "http://",
        "https://u:p@h", "https://h?x", "https://h/#x", "http://h h"
      })
  void invalidUrl_isRejected(String url) {
    assertThatThrownBy(() -> HecStage.config("urls: ['" + url + "']\ntoken: t\n"))
        .hasMessageContaining("urls");
    assertThat(HecStage.config("urls: ['https://h:8088/a@b/']\ntoken: t\n").baseUrls())
        .containsExactly("https://h:8088/a@b");
  }
}
