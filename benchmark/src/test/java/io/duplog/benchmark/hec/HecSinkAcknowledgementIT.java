package io.duplog.benchmark.hec;

import static io.duplog.benchmark.hec.HecClient.TOKEN;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The sink when only the indexers' acknowledgement counts. */
class HecSinkAcknowledgementIT {
  private static final HecSettings SETTINGS = HecSettings.withToken(TOKEN).acknowledging(true);

  private final MemoryIndex index = new MemoryIndex();
  private HecServer server;

  private SinkUnderTest start(HecSettings settings, String... keys) throws Exception {
    return start(settings, List.of(index), keys);
  }

  private SinkUnderTest start(HecSettings settings, List<Index> indexes, String... keys)
      throws Exception {
    server = HecServer.start(settings, indexes.toArray(Index[]::new));
    return SinkUnderTest.open(
        server,
        Stream.concat(Stream.of("acknowledge: true"), Stream.of(keys)).toArray(String[]::new));
  }

  @AfterEach
  void stop() {
    server.close();
  }

  @Test
  void acknowledgedAtOnce_isIndexedOnce() throws Exception {
    try (SinkUnderTest sink = start(SETTINGS)) {
      sink.deliver(30, 100, index);
    }
  }

  @Test
  void acknowledgedLate_isNotAcceptedBefore_andIndexedOnce() throws Exception {
    try (SinkUnderTest sink = start(SETTINGS, "ack-timeout: 1m")) {
      server.acknowledge(Acknowledging.NEVER);
      sink.send(20, 100);
      await().until(() -> index.events().size() == 2_000);
      assertThat(sink.deliveries().accepted()).isEmpty();

      server.acknowledge(Acknowledging.late(Duration.ofMillis(300)));
      sink.awaitAccepted();
      sink.assertIndexedOnce(index.texts());
    }
  }

  @Test
  void acknowledgedInReverse_isIndexedOnce() throws Exception {
    try (SinkUnderTest sink = start(SETTINGS, "ack-timeout: 1m", "max-events: 100")) {
      server.acknowledge(Acknowledging.reversed(Duration.ofSeconds(20)));
      sink.deliver(30, 100, index);
    }
  }

  @Test
  void neverAcknowledged_isSentAgain_andNotAccepted() throws Exception {
    try (SinkUnderTest sink = start(SETTINGS, "ack-timeout: 200ms")) {
      server.acknowledge(Acknowledging.NEVER);
      sink.send(4, 50);
      await().until(() -> index.events().size() >= 2 * 200);
      assertThat(sink.deliveries().accepted()).isEmpty();

      server.acknowledge(Acknowledging.AT_ONCE);
      sink.awaitAccepted();
      sink.assertIndexedAtLeastOnce(index.texts());
    }
  }

  @Test
  void badEvent_isRefused_andTheOthersAreAcknowledged() throws Exception {
    try (SinkUnderTest sink = start(SETTINGS)) {
      server
          .faults()
          .always(new HecFault.RefuseText("message 250 of", HecCode.INVALID_DATA_FORMAT));
      sink.send(1, 500);
      await().until(() -> !sink.deliveries().refused().isEmpty());
      sink.deliveries().refused().get(0).kept().run();
      sink.awaitAccepted();

      assertThat(sink.deliveries().refused()).hasSize(1);
      Set<String> expected = new HashSet<>(sink.sent());
      expected.removeIf(text -> text.contains("message 250 of"));
      assertThat(SinkUnderTest.counts(index.texts()).keySet()).isEqualTo(expected);
    }
  }

  @Test
  void lostAnswer_andCutPolls_loseNothing() throws Exception {
    try (SinkUnderTest sink = start(SETTINGS, "max-events: 100")) {
      server.faults().next(3, new HecFault.Cut(HecFault.Cut.Point.BEFORE_ANSWER));
      server
          .faults()
          .next(ActiveFaults.Target.ACKS, 3, new HecFault.Cut(HecFault.Cut.Point.ANSWER));
      sink.send(20, 100);
      sink.awaitAccepted();
      sink.assertIndexedAtLeastOnce(index.texts());
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

  /** The second loses what it takes: it says yes to the sink, and never acknowledges. */
  @ParameterizedTest
  @EnumSource
  void twoIndexersBehindOneUrl_neverMixIds(HecSettings.Balance balance) throws Exception {
    MemoryIndex lost = new MemoryIndex();
    try (SinkUnderTest sink =
        start(SETTINGS.balanced(balance), List.of(index, lost), "ack-timeout: 300ms")) {
      server.acknowledge(1, Acknowledging.NEVER);
      await()
          .atMost(Duration.ofSeconds(30))
          .until(
              () -> {
                sink.send(2, 50);
                return !lost.events().isEmpty() && !sink.deliveries().accepted().isEmpty();
              });
      assertAcceptedIsIndexed(sink);

      server.acknowledge(1, Acknowledging.AT_ONCE);
      sink.awaitAccepted();
      sink.assertIndexedAtLeastOnce(
          Stream.concat(index.texts().stream(), lost.texts().stream()).toList());
    }
  }

  /** What was accepted while the second indexer lost everything is at the first. */
  private void assertAcceptedIsIndexed(SinkUnderTest sink) {
    List<String> accepted = List.copyOf(sink.deliveries().accepted());
    Set<String> indexed = new HashSet<>(index.texts());
    for (String delivery : accepted) {
      assertThat(indexed)
          .containsAll(
              sink.sent().stream()
                  .filter(text -> text.startsWith("<13>" + delivery + " "))
                  .toList());
    }
  }

  @ParameterizedTest
  @EnumSource
  void twoIndexersBehindOneUrl_bothWell_loseNothing(HecSettings.Balance balance) throws Exception {
    MemoryIndex second = new MemoryIndex();
    try (SinkUnderTest sink =
        start(SETTINGS.balanced(balance), List.of(index, second), "max-events: 100")) {
      sink.send(30, 100);
      sink.awaitAccepted();
      sink.assertIndexedAtLeastOnce(
          Stream.concat(index.texts().stream(), second.texts().stream()).toList());
    }
  }
}
