package io.duplog.benchmark.hec;

import static io.duplog.benchmark.hec.HecClient.TOKEN;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The sink with its own threads and connections, when only the indexers' acknowledgement counts.
 */
class HecSinkAcknowledgementIT {
  private static final HecSettings SETTINGS = HecSettings.withToken(TOKEN).acknowledging(true);

  private final List<HecEvent> index = new CopyOnWriteArrayList<>();

  private HecServer server;

  private SinkUnderTest start(HecSettings settings, String... keys) throws Exception {
    server = new HecServer(settings, index::addAll);
    return SinkUnderTest.open(
        server,
        Stream.concat(Stream.of("acknowledge: true"), Stream.of(keys)).toArray(String[]::new));
  }

  @AfterEach
  void stop() {
    server.close();
  }

  static Stream<Acknowledging> ways() {
    return Stream.of(
        new Acknowledging(Acknowledging.Order.AS_TAKEN, Duration.ofMillis(300)),
        new Acknowledging(Acknowledging.Order.REVERSED, Duration.ofSeconds(20)));
  }

  @ParameterizedTest
  @MethodSource("ways")
  void acknowledgedLate_orInReverse_isNotAcceptedBefore_andIndexedOnce(Acknowledging way)
      throws Exception {
    try (SinkUnderTest sink = start(SETTINGS, "ack-timeout: 1m", "max-events: 100")) {
      server.acknowledge(new Acknowledging(Acknowledging.Order.NEVER, Duration.ZERO));
      sink.send(20, 100);
      await().until(() -> index.size() == 2_000);
      assertThat(sink.deliveries().accepted()).isEmpty();

      server.acknowledge(way);
      sink.awaitAccepted();
      sink.assertIndexedOnce(index);
    }
  }

  @Test
  void lostAnswer_andCutPolls_loseNothing() throws Exception {
    try (SinkUnderTest sink = start(SETTINGS, "max-events: 100")) {
      server.faults().next(3, new HecFault.Cut(HecFault.Cut.Point.BEFORE_ANSWER));
      server
          .faults()
          .add(
              new HecFault.Cut(HecFault.Cut.Point.ANSWER),
              Set.of(ActiveFaults.Target.ACKS),
              3,
              ActiveFaults.FOREVER);
      sink.send(20, 100);
      sink.awaitAccepted();
      sink.assertIndexedAtLeastOnce(index);
    }
  }

  @Test
  void acknowledgementsTurnedOff_isAnAlarm_andDropsNothing() throws Exception {
    try (SinkUnderTest sink = start(HecSettings.withToken(TOKEN))) {
      sink.send(2, 50);
      sink.awaitAvailable(false);
      assertThat(sink.deliveries().accepted()).isEmpty();
      assertThat(sink.deliveries().refused()).isEmpty();
    }
  }
}
