package io.duplog.benchmark.hec;

import static io.duplog.benchmark.hec.HecClient.TOKEN;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;
import static org.awaitility.Awaitility.await;

import io.duplog.deliver.DeliveryRequests;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The sink with its own threads and connections against every answer of Splunk's table, and with
 * connections that break, hang, or are refused. What it makes of them is looked at step by step in
 * the tests of {@code io.duplog.deliver.hec}.
 */
class HecSinkIT {
  private final List<HecEvent> index = new CopyOnWriteArrayList<>();
  private HecServer server;

  @BeforeEach
  void start() throws IOException {
    server = new HecServer(HecSettings.withToken(TOKEN), index::addAll);
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
    assertThat(index)
        .extracting(HecEvent::host, HecEvent::time)
        .containsOnly(tuple("192.0.2.7", "1773500966.535"));
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
            .map(code -> new HecFault.Answer(code.status(), code, null)),
        Stream.of(404, 408, 429, 500, 502, 503, 504)
            .map(status -> new HecFault.Answer(status, null, null)));
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
      sink.deliver(1, 10, index);
      assertThat(System.nanoTime() - begun).isGreaterThanOrEqualTo(1_000_000_000L);
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
    server.faults().next(Integer.MAX_VALUE, new HecFault.Answer(code.status(), code, null));
    try (SinkUnderTest sink = SinkUnderTest.open(server)) {
      sink.send(4, 50);
      sink.awaitAvailable(false);
      assertThat(sink.deliveries().accepted()).isEmpty();
      assertThat(sink.deliveries().refused()).isEmpty();

      server.faults().clear();
      sink.awaitAccepted();
      sink.awaitAvailable(true);
      sink.assertIndexedOnce(index);
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
      await().until(() -> !sink.deliveries().refused().isEmpty());
      assertThat(sink.deliveries().refused())
          .extracting(DeliveryRequests.Refused::delivery, DeliveryRequests.Refused::message)
          .containsExactly(tuple("delivery-0", bad));
      sink.sent().remove(bad);
      await().until(() -> index.size() >= 499);

      assertThat(sink.deliveries().accepted()).isEmpty(); // until the refused one is safe elsewhere
      sink.deliveries().refused().get(0).kept().run();
      sink.awaitAccepted();
      assertThat(SinkUnderTest.counts(SinkUnderTest.texts(index)))
          .isEqualTo(SinkUnderTest.counts(sink.sent()));
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"none", "gzip"})
  void tooLargeRequest_isSplit_andATooLargeEventRefused(String compression) throws Exception {
    try (HecServer small =
            new HecServer(
                new HecSettings("127.0.0.1", 0, TOKEN, false, Set.of(), 3_000), index::addAll);
        SinkUnderTest sink = SinkUnderTest.open(small, "compression: " + compression)) {
      sink.deliver(3, 100, index);

      sink.send("large", "<13>" + "x".repeat(4_000), "<13>small");
      await().until(() -> !sink.deliveries().refused().isEmpty());
      assertThat(sink.deliveries().refused()).hasSize(1);
      assertThat(sink.deliveries().refused().get(0).message()).isZero();
      await().until(() -> SinkUnderTest.texts(index).contains("<13>small"));
    }
  }

  static Stream<Arguments> faultsOfOneRequest() {
    return Stream.of(
        Arguments.of(new HecFault.Accept(HecCode.QUEUE_NEARLY_FULL), 1),
        Arguments.of(new HecFault.Accept(HecCode.ACK_NEARLY_FULL), 1),
        Arguments.of(new HecFault.Cut(HecFault.Cut.Point.REQUEST), 1),
        Arguments.of(new HecFault.Cut(HecFault.Cut.Point.BEFORE_ANSWER), 2),
        Arguments.of(new HecFault.Cut(HecFault.Cut.Point.ANSWER), 2),
        Arguments.of(new HecFault.Hang(false), 1),
        Arguments.of(new HecFault.Hang(true), 2));
  }

  @ParameterizedTest
  @MethodSource("faultsOfOneRequest")
  void lostAnswer_costsDuplicatesOfThatRequestOnly(HecFault fault, long copies) throws Exception {
    try (SinkUnderTest sink = SinkUnderTest.open(server, "request-timeout: 2s")) {
      sink.deliver(4, 100, index);
      server.faults().next(1, fault);
      sink.send(1, 100);
      sink.awaitAccepted();
      sink.send(4, 100);
      sink.awaitAccepted();

      sink.assertIndexedAtLeastOnce(index);
      assertThat(SinkUnderTest.counts(SinkUnderTest.texts(index)))
          .allSatisfy(
              (text, count) ->
                  assertThat(count).isEqualTo(text.startsWith("<13>delivery-4 ") ? copies : 1));
    }
  }

  @Test
  void refusedConnections_areTriedUntilTheyAreAccepted() throws Exception {
    server.refuseConnections();
    try (SinkUnderTest sink = SinkUnderTest.open(server)) {
      sink.send(5, 100);
      sink.awaitAvailable(false);
      server.acceptConnections();
      sink.awaitAccepted();
      sink.awaitAvailable(true);
      sink.assertIndexedOnce(index);
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void deadUrl_besideAGoodOne_losesNothing_andComesBack(boolean hanging) throws Exception {
    List<HecEvent> otherIndex = new CopyOnWriteArrayList<>();
    try (HecServer other = new HecServer(HecSettings.withToken(TOKEN), otherIndex::addAll)) {
      if (hanging) {
        other.faults().always(new HecFault.Hang(false));
      } else {
        other.refuseConnections();
      }
      try (SinkUnderTest sink =
          SinkUnderTest.open(List.of(other.uri(), server.uri()), "request-timeout: 2s")) {
        sink.deliver(20, 100, index);
        assertThat(sink.sink().isAvailable()).isTrue();

        other.faults().clear();
        other.acceptConnections();
        await()
            .atMost(Duration.ofSeconds(30))
            .until(
                () -> {
                  sink.send(4, 50);
                  sink.awaitAccepted();
                  return !otherIndex.isEmpty();
                });
        sink.assertIndexedOnce(Stream.concat(index.stream(), otherIndex.stream()).toList());
      }
    }
  }

  @Test
  void withdrawnDeliveries_areGivenUp_andComeToNothing() throws Exception {
    server.faults().always(new HecFault.Hang(false));
    try (SinkUnderTest sink = SinkUnderTest.open(server)) {
      sink.send(5, 100);
      sink.awaitAvailable(false);
      sink.sink().withdraw();
      assertThat(sink.deliveries().withdrawn()).hasSize(5).doesNotHaveDuplicates();
      assertThat(sink.deliveries().accepted()).isEmpty();
    }
  }
}
