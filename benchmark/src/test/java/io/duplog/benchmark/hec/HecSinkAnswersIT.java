package io.duplog.benchmark.hec;

import static io.duplog.benchmark.hec.HecClient.TOKEN;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;
import static org.awaitility.Awaitility.await;

import io.duplog.deliver.DeliveryRequests;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The sink against every answer of Splunk's table. */
class HecSinkAnswersIT {
  private final MemoryIndex index = new MemoryIndex();
  private HecServer server;

  @BeforeEach
  void start() throws IOException {
    server = HecServer.start(HecSettings.withToken(TOKEN), index);
  }

  @AfterEach
  void stop() {
    server.close();
  }

  @Test
  void success_indexesEveryMessageOnce_withItsMetadata() throws Exception {
    try (SinkUnderTest sink = SinkUnderTest.open(server)) {
      sink.deliver(40, 250, index);
    }
    assertThat(index.events())
        .allSatisfy(
            event -> {
              assertThat(event.host()).isEqualTo("192.0.2.7");
              assertThat(event.time()).isEqualTo("1773500966.535");
            });
  }

  static Stream<HecFault.Answer> transientAnswers() {
    return Stream.concat(
        Stream.of(
                HecCode.INTERNAL_SERVER_ERROR,
                HecCode.SERVER_BUSY,
                HecCode.QUEUES_FULL,
                HecCode.ACK_UNAVAILABLE,
                HecCode.QUEUES_FULL_ACK_UNAVAILABLE,
                HecCode.SHUTTING_DOWN,
                HecCode.QUEUE_FULL,
                HecCode.ACK_FULL)
            .map(HecFault.Answer::of),
        Stream.of(404, 408, 429, 500, 502, 503, 504).map(HecFault.Answer::of));
  }

  @ParameterizedTest
  @MethodSource("transientAnswers")
  void transientAnswer_isTriedAgainUntilItPasses(HecFault.Answer answer) throws Exception {
    server.faults().next(5, answer);
    try (SinkUnderTest sink = SinkUnderTest.open(server)) {
      sink.deliver(8, 50, index);
    }
    assertThat(server.faults().describe()).isEmpty();
  }

  @Test
  void retryAfter_isHonoured() throws Exception {
    server.faults().next(1, new HecFault.Answer(429, HecCode.QUEUE_FULL, Duration.ofSeconds(1)));
    try (SinkUnderTest sink = SinkUnderTest.open(server, "requests-per-url: 1")) {
      long begun = System.nanoTime();
      sink.send(1, 10);
      sink.awaitAccepted();
      assertThat(System.nanoTime() - begun).isGreaterThanOrEqualTo(1_000_000_000L);
      sink.assertIndexedOnce(index.texts());
    }
  }

  @ParameterizedTest
  @EnumSource(names = {"QUEUE_NEARLY_FULL", "ACK_NEARLY_FULL"})
  void fullSoon_isAccepted(HecCode code) throws Exception {
    server.faults().next(3, new HecFault.Accept(code));
    try (SinkUnderTest sink = SinkUnderTest.open(server)) {
      sink.deliver(8, 50, index);
    }
  }

  @ParameterizedTest
  @EnumSource(
      names = {
        "TOKEN_DISABLED",
        "TOKEN_REQUIRED",
        "INVALID_AUTHORIZATION",
        "INVALID_TOKEN",
        "CHANNEL_MISSING",
        "INVALID_CHANNEL",
        "ACK_DISABLED",
        "QUERY_AUTHORIZATION"
      })
  void wrongConfiguration_stopsTheTaking_andDropsNothing(HecCode code) throws Exception {
    server.faults().always(ActiveFaults.Target.EVENTS, HecFault.Answer.of(code));
    try (SinkUnderTest sink = SinkUnderTest.open(server)) {
      sink.send(4, 50);
      sink.awaitAvailable(false);
      assertThat(sink.deliveries().accepted()).isEmpty();
      assertThat(sink.deliveries().refused()).isEmpty();

      server.faults().clear();
      sink.awaitAccepted();
      sink.awaitAvailable(true);
      sink.assertIndexedOnce(index.texts());
    }
  }

  @Test
  void wrongToken_thatIsPutRight_dropsNothing_andTakesNothingMeanwhile() throws Exception {
    server.token("another");
    try (SinkUnderTest sink = SinkUnderTest.open(server)) {
      sink.awaitAvailable(false); // it tries the token before there is anything to send
      sink.send(10, 100);
      long requests = server.counts().requests();
      await().until(() -> server.counts().requests() > requests + 3);
      assertThat(sink.sink().isAvailable()).isFalse();
      assertThat(sink.deliveries().accepted()).isEmpty();

      server.token(TOKEN);
      sink.awaitAccepted();
      sink.awaitAvailable(true);
      sink.assertIndexedOnce(index.texts());
    }
  }

  static Stream<HecFault.RefuseEvent> badEvents() {
    return Stream.of(HecFault.Place.FIRST, HecFault.Place.MIDDLE, HecFault.Place.LAST)
        .flatMap(
            place ->
                Stream.of(
                        HecCode.INVALID_DATA_FORMAT,
                        HecCode.EVENT_REQUIRED,
                        HecCode.EVENT_BLANK,
                        HecCode.INDEXED_FIELDS,
                        HecCode.INCORRECT_INDEX)
                    .map(code -> new HecFault.RefuseEvent(place, code)));
  }

  /** Of 500: the first is asked about twice, since a request may be refused as a whole that way. */
  @ParameterizedTest
  @MethodSource("badEvents")
  void oneBadEventOf500_isRefusedAlone_andTheRestIndexedOnce(HecFault.RefuseEvent fault)
      throws Exception {
    int bad = fault.place().in(500);
    String text = "<13>delivery-0 message %d of 500".formatted(bad);
    server.faults().always(new HecFault.RefuseText(text, fault.code()));
    try (SinkUnderTest sink = SinkUnderTest.open(server)) {
      sink.send(1, 500);
      assertRefused(sink, bad);
      List<String> expected = new ArrayList<>(sink.sent());
      expected.remove(bad);
      await().until(() -> index.events().size() >= expected.size());

      assertThat(sink.deliveries().accepted()).isEmpty(); // until the refused one is safe elsewhere
      sink.deliveries().refused().get(0).kept().run();
      sink.awaitAccepted();
      assertThat(SinkUnderTest.counts(index.texts())).isEqualTo(SinkUnderTest.counts(expected));
    }
  }

  private static void assertRefused(SinkUnderTest sink, int message) {
    await().until(() -> !sink.deliveries().refused().isEmpty());
    assertThat(sink.deliveries().refused())
        .extracting(DeliveryRequests.Refused::delivery, DeliveryRequests.Refused::message)
        .containsExactly(tuple("delivery-0", message));
  }

  @Test
  void manyBadEvents_areAllRefused_andNoOther() throws Exception {
    server.faults().always(new HecFault.RefuseText("7 of", HecCode.INVALID_DATA_FORMAT));
    try (SinkUnderTest sink = SinkUnderTest.open(server)) {
      sink.send(5, 100);
      await().until(() -> sink.deliveries().refused().size() >= 50);
      sink.deliveries().refused().forEach(refused -> refused.kept().run());
      sink.awaitAccepted();
      List<String> expected = new ArrayList<>(sink.sent());
      expected.removeIf(text -> text.contains("7 of"));
      assertThat(sink.deliveries().refused()).hasSize(50);
      assertThat(SinkUnderTest.counts(index.texts())).isEqualTo(SinkUnderTest.counts(expected));
    }
  }

  @Test
  void wrongIndex_withAFallback_isSentThere() throws Exception {
    server
        .faults()
        .next(1, new HecFault.RefuseEvent(new HecFault.Place(3), HecCode.INCORRECT_INDEX));
    try (SinkUnderTest sink = SinkUnderTest.open(server, "fallback-index: main")) {
      sink.deliver(1, 10, index);
    }
    assertThat(index.events())
        .filteredOn(event -> event.index() != null)
        .extracting(HecEvent::event, HecEvent::index)
        .containsExactly(tuple("<13>delivery-0 message 3 of 10", "main"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"none", "gzip"})
  void tooLargeRequest_isSplit_andATooLargeEventRefused(String compression) throws Exception {
    server.close();
    server = HecServer.start(HecSettings.withToken(TOKEN).withMaxBytes(3_000), index);
    try (SinkUnderTest sink = SinkUnderTest.open(server, "compression: " + compression)) {
      sink.deliver(3, 100, index);

      sink.send("large", "<13>" + "x".repeat(4_000), "<13>small");
      await().until(() -> !sink.deliveries().refused().isEmpty());
      assertThat(sink.deliveries().refused()).hasSize(1);
      assertThat(sink.deliveries().refused().get(0).message()).isZero();
      await().until(() -> index.texts().contains("<13>small"));
    }
  }
}
