package io.duplog.benchmark.hec;

import static io.duplog.benchmark.hec.HecClient.TOKEN;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The sink with connections that break, hang, or are refused, and with two URLs. */
class HecSinkConnectionsIT {
  private final MemoryIndex index = new MemoryIndex();
  private final MemoryIndex otherIndex = new MemoryIndex();
  private HecServer server;
  private HecServer other;

  @BeforeEach
  void start() throws IOException {
    server = HecServer.start(HecSettings.withToken(TOKEN), index);
    other = HecServer.start(HecSettings.withToken(TOKEN), otherIndex);
  }

  @AfterEach
  void stop() {
    server.close();
    other.close();
  }

  @Test
  void requestCutOff_isSentAgain_andIndexedOnce() throws Exception {
    server.faults().next(5, new HecFault.Cut(HecFault.Cut.Point.REQUEST));
    try (SinkUnderTest sink = SinkUnderTest.open(server)) {
      sink.deliver(8, 200, index);
    }
  }

  @ParameterizedTest
  @EnumSource(names = {"ANSWER", "BEFORE_ANSWER"})
  void lostAnswer_costsDuplicatesOfThatRequestOnly(HecFault.Cut.Point point) throws Exception {
    try (SinkUnderTest sink = SinkUnderTest.open(server)) {
      sink.send(4, 100);
      sink.awaitAccepted();
      server.faults().next(1, new HecFault.Cut(point));
      sink.send(1, 100);
      sink.awaitAccepted();
      sink.send(4, 100);
      sink.awaitAccepted();

      sink.assertIndexedAtLeastOnce(index.texts());
      Map<String, Long> counts = SinkUnderTest.counts(index.texts());
      assertThat(counts)
          .allSatisfy(
              (text, count) ->
                  assertThat(count).isEqualTo(text.startsWith("<13>delivery-4 ") ? 2 : 1));
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void hangingRequest_isSentAgainAfterItsTime(boolean taken) throws Exception {
    server.faults().next(1, new HecFault.Hang(taken));
    try (SinkUnderTest sink = SinkUnderTest.open(server, "request-timeout: 2s")) {
      sink.send(1, 100);
      sink.awaitAccepted();
      sink.assertIndexedAtLeastOnce(index.texts());
      assertThat(SinkUnderTest.counts(index.texts()).values()).containsOnly(taken ? 2L : 1L);
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
      sink.assertIndexedOnce(index.texts());
    }
  }

  @Test
  void twoUrls_shareTheWork() throws Exception {
    try (SinkUnderTest sink = SinkUnderTest.open(List.of(server.uri(), other.uri()))) {
      await()
          .until(
              () -> {
                sink.send(10, 50);
                sink.awaitAccepted();
                return !index.events().isEmpty() && !otherIndex.events().isEmpty();
              });
      sink.assertIndexedOnce(both());
    }
  }

  @Test
  void deadUrl_besideAGoodOne_losesNothing_andComesBack() throws Exception {
    other.refuseConnections();
    try (SinkUnderTest sink = SinkUnderTest.open(List.of(other.uri(), server.uri()))) {
      sink.send(20, 100);
      sink.awaitAccepted();
      assertThat(sink.sink().isAvailable()).isTrue();
      assertThat(otherIndex.events()).isEmpty();

      other.acceptConnections();
      await()
          .atMost(Duration.ofSeconds(30))
          .until(
              () -> {
                sink.send(4, 50);
                sink.awaitAccepted();
                return !otherIndex.events().isEmpty();
              });
      sink.assertIndexedOnce(both());
    }
  }

  @Test
  void hangingUrl_besideAGoodOne_losesNothing() throws Exception {
    other.faults().always(new HecFault.Hang(false));
    try (SinkUnderTest sink =
        SinkUnderTest.open(List.of(other.uri(), server.uri()), "request-timeout: 2s")) {
      sink.deliver(20, 100, index);
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

  private List<String> both() {
    return Stream.concat(index.texts().stream(), otherIndex.texts().stream()).toList();
  }
}
