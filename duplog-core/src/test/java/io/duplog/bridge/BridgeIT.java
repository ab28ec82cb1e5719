package io.duplog.bridge;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.rabbitmq.client.AMQP;
import com.rabbitmq.client.GetResponse;
import io.duplog.bridge.settings.BridgeConfig;
import io.duplog.bridge.settings.Settings;
import io.duplog.receive.QueueProbe;
import io.duplog.wire.ContentEncoding;
import io.duplog.wire.Envelope;
import io.duplog.wire.Topology;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What a bridge does while everything works, and with bodies that it can't use. */
class BridgeIT extends BridgeBetweenServers {
  private static final int QUEUES = 4;

  @ParameterizedTest
  @ValueSource(
      strings = {
        "settle: {acknowledge: each}",
        "settle: {acknowledge: count, acknowledge-count: 7}",
        "settle: {acknowledge: interval, acknowledge-interval: 50ms}",
        "settle: {acknowledge: each, hold-limit: 1m}"
      })
  void twoBridges_sharingTwoStreams_deliverEachMessageOnce(String policy) throws Exception {
    start("one", policy);
    start("two", policy);
    for (int i = 0; i < 100; i++) {
      streamA.publish(numbered(i * 10, i * 10 + 10));
      streamB.publish(numbered(i * 10, i * 10 + 10));
    }

    awaitSettled();

    assertThat(sink.counts()).hasSize(1000).values().containsOnly(1);
    assertThat(sink.bypassed()).isZero();
  }

  /**
   * Each bridge has a memory of its own: copies that met in two bridges would be delivered twice.
   */
  @Test
  void queuesSharedOut_bothCopiesOfAMessageMeetInOneBridge() throws Exception {
    Bridge one = start(sharing("one", "store: memory, "));
    Bridge two = start(sharing("two", "store: memory, "));
    try (SpreadPublisher a = new SpreadPublisher(brokerA, "a", QUEUES);
        SpreadPublisher b = new SpreadPublisher(brokerB, "b", QUEUES)) {
      await().atMost(Duration.ofSeconds(30)).until(() -> a.isReadBy(2) && b.isReadBy(2));
      for (int i = 0; i < 400; i += 100) {
        a.publish(10, numbered(i, i + 100));
        b.publish(7, numbered(i, i + 100));
      }
      await().atMost(Duration.ofSeconds(30)).until(() -> a.isSettled() && b.isSettled());

      assertThat(sink.counts()).hasSize(400).values().containsOnly(1);
      assertThat(received(one)).isBetween(200L, 600L);
      assertThat(received(one) + received(two)).isEqualTo(800);
      stopReading();
    }
  }

  @Test
  void queuesSharedOut_bridgeGone_leavesItsQueuesToTheOther() throws Exception {
    CollectingSink deaf = new CollectingSink();
    deaf.refuse();
    BridgeConfig config = sharing("one", "");
    Bridge dying = new Bridge(config, Settings.ledger(config), deaf);
    dying.start();
    try (SpreadPublisher a = new SpreadPublisher(brokerA, "a", QUEUES);
        SpreadPublisher b = new SpreadPublisher(brokerB, "b", QUEUES)) {
      try {
        start(sharing("two", ""));
        await().atMost(Duration.ofSeconds(30)).until(() -> a.isReadBy(2) && b.isReadBy(2));
        a.publish(10, numbered(0, 400));
        b.publish(10, numbered(0, 400));
        await().atMost(Duration.ofSeconds(30)).until(() -> deaf.waiting() > 0 && sink.count() > 0);
      } finally {
        dying.stop(Duration.ZERO);
      }
      await().atMost(Duration.ofSeconds(60)).until(() -> a.isSettled() && b.isSettled());

      assertThat(deaf.count()).isZero();
      assertThat(sink.counts()).hasSize(400);
      stopReading();
    }
  }

  /** Before the queues are deleted, or they would declare them again. */
  private void stopReading() {
    bridges.forEach(bridge -> bridge.stop(GRACE));
    bridges.clear();
  }

  private static BridgeConfig sharing(String name, String dedup) throws Exception {
    return parsed(
        yaml(name, "receive: {retry-min: 200ms, retry-max: 1s, bridges: [one, two]}")
            .replace("- {name:", "- {queue-count: %d, name:".formatted(QUEUES))
            .replace("dedup: {", "dedup: {" + dedup));
  }

  /** Copies that a bridge was given, of both streams. */
  private static long received(Bridge bridge) {
    return bridge
        .status()
        .metrics()
        .scrape()
        .lines()
        .filter(line -> line.startsWith("duplog_copies_received_total{"))
        .mapToLong(line -> (long) Double.parseDouble(line.substring(line.lastIndexOf(' ') + 1)))
        .sum();
  }

  @Test
  void repeats_withinOneStream_areDelivered() throws Exception {
    start("one", "");
    streamA.publish("again", "again", "again", "again", "again");
    streamB.publish("again", "again");

    awaitSettled();

    assertThat(sink.counts()).containsExactly(Map.entry("again", 5));
  }

  /** As {@code localhost} and {@code 127.0.0.1}: counted as both, three of six would be lost. */
  @Test
  void oneQueue_underTwoNames_losesNoRepeat() throws Exception {
    Bridge one = start(parsed(withBrokerAUnderBothNames("one")));
    awaitReaders(streamA, 2);
    for (int i = 0; i < 6; i++) {
      streamA.publish("again");
    }

    awaitSettled();

    assertThat(sink.counts()).containsExactly(Map.entry("again", 6));
    assertThat(sink.bypassed()).isEqualTo(3); // the broker serves both of its readers in turn
    assertThat(one.status().metrics().scrape())
        .contains("duplog_copies_misnamed_total{stream=\"a\"} 0.0")
        .contains("duplog_copies_misnamed_total{stream=\"b\"} 3.0");
    await()
        .until(() -> parts(one).contains("lag b DEGRADED its queue brings a: that is delivered"));
  }

  @Test
  void twoBridges_ofWhichOneHasTheNamesSwapped_loseNoRepeat() throws Exception {
    start("one", "");
    start(
        parsed(
            yaml("two", "")
                .replace("name: a,", "name: c,")
                .replace("name: b,", "name: a,")
                .replace("name: c,", "name: b,")));
    awaitReaders(streamA, 2);
    awaitReaders(streamB, 2);
    for (int i = 0; i < 6; i++) {
      streamA.publish("again");
      streamB.publish("again");
    }

    awaitSettled();

    // What the second one takes passes uncounted; of the rest the fuller stream is delivered.
    assertThat(sink.counts().get("again")).isBetween(6, 12);
    assertThat(sink.bypassed()).isPositive();
  }

  /** Another bridge's messages under the stream's name come from another queue. */
  @Test
  void queueThatIsNotThere_isDeclared_withAWarning_andNotCalledFlowing() throws Exception {
    Bridge one = start("one", "");
    streamA.publish("x");
    streamB.publish("x");
    await().until(() -> parts(one).contains("lag b WELL flowing"));
    Bridge two = start(parsed(yaml("two", "").replace("name: b,", "name: b, queues: [duplog-b],")));
    try {
      await().until(() -> parts(two).contains("lag a WELL flowing"));
      assertThat(parts(two)).contains("lag b WELL unknown");
      assertThat(two.status().document().render())
          .contains("queue duplog-b was not there and is declared now");
    } finally {
      two.stop(GRACE);
      bridges.remove(two);
      streamB.channel().queueDelete("duplog-b");
      streamB.channel().queueDelete(Topology.deadLetterQueue("duplog-b"));
    }
  }

  private static String parts(Bridge bridge) {
    return bridge.status().health().parts().stream()
        .map(part -> part.name() + " " + part.state() + " " + part.detail())
        .collect(Collectors.joining("\n"));
  }

  @Test
  void batch_publishedTwiceUnderOneId_isDeliveredOnce() throws Exception {
    start("one", "");
    start("two", "");
    String id = streamA.publish("x", "y");
    streamA.publishAs(id, "x", "y");
    streamB.publish("y", "x");

    awaitSettled();

    assertThat(sink.counts()).isEqualTo(Map.of("x", 1, "y", 1));
  }

  @Test
  void droppedCopy_isNotSettled_beforeTheKeptOneIsDelivered() throws Exception {
    sink.refuse();
    start("one", "");
    streamA.publish("x");
    await().until(() -> sink.waiting() == 1);
    streamB.publish("x");

    await()
        .during(Duration.ofSeconds(1))
        .atMost(Duration.ofSeconds(10))
        .until(() -> brokerB.depth(Topology.DEFAULT_QUEUE) == 1);
    sink.accept();

    awaitSettled();
    assertThat(sink.counts()).isEqualTo(Map.of("x", 1));
  }

  @Test
  void memoryStore_needsNoRedis() throws Exception {
    redis.pause();
    try {
      BridgeConfig memory =
          parsed(yaml("memory", "").replaceAll("dedup: .*", "dedup: {store: memory}"));
      Bridge bridge = new Bridge(memory, Settings.ledger(memory), sink);
      bridges.add(bridge);
      bridge.start();
      streamA.publish(numbered(0, 50));
      streamB.publish(numbered(0, 60));

      awaitSettled();
    } finally {
      redis.unpause();
    }

    assertThat(sink.counts()).hasSize(60).values().containsOnly(1);
  }

  @Test
  void bodies_thatCantBeUsed_goToTheDeadLetterQueue_withTheReason() throws Exception {
    start("one", "limits: {max-message: 1KiB, max-body: 4KiB}");
    AMQP.BasicProperties batch =
        new AMQP.BasicProperties.Builder()
            .contentType(Envelope.CONTENT_TYPE)
            .messageId("bad-1")
            .build();
    byte[] whole = TestPublisher.encode("x", "y").body();
    streamA.publish(batch, Arrays.copyOf(whole, whole.length - 1));
    streamA.publish(batch, "hello".getBytes(StandardCharsets.UTF_8));
    streamA.publish(batch, new byte[5000]);
    streamA.publish(batch.builder().messageId(null).build(), whole);
    streamA.publish(batch.builder().contentEncoding("br").build(), whole);
    streamA.publish(new AMQP.BasicProperties(), new byte[2000]);
    streamA.publish(
        batch.builder().contentEncoding(ContentEncoding.ZSTD.token()).build(), new byte[100]);
    streamA.publish(
        batch.builder().contentEncoding(ContentEncoding.ZSTD.token()).build(), new byte[0]);
    streamA.publish("good");

    String deadLetters = Topology.deadLetterQueue(Topology.DEFAULT_QUEUE);
    awaitSettled();
    await().until(() -> brokerA.depth(deadLetters) == 8);

    assertThat(sink.counts()).isEqualTo(Map.of("good", 1));
    List<String> reasons = new ArrayList<>();
    for (int i = 0; i < 8; i++) {
      GetResponse dead = streamA.channel().basicGet(deadLetters, true);
      reasons.add(dead.getProps().getHeaders().get(Envelope.REASON_HEADER).toString());
    }
    assertThat(reasons)
        .containsExactlyInAnyOrder(
            "checksum mismatch",
            "no batch header",
            "no batch header",
            "body of 5000 bytes, the limit is 4096",
            "batch without a usable message-id",
            "unknown content-encoding 'br'",
            "message of 2000 bytes, the limit is 1024",
            "not a zstd frame that states its size");
  }

  @Test
  void plainBody_ofAnyPublisher_isOneMessage() throws Exception {
    start("one", "");
    streamA.publish(new AMQP.BasicProperties(), "from elsewhere".getBytes(StandardCharsets.UTF_8));
    streamB.publish(new AMQP.BasicProperties(), "from elsewhere".getBytes(StandardCharsets.UTF_8));
    streamB.publish(new AMQP.BasicProperties(), new byte[0]);

    awaitSettled();

    assertThat(sink.counts()).isEqualTo(Map.of("from elsewhere", 1, "", 1));
  }

  @Test
  void plainBody_redelivered_passesThrough_sinceNothingTellsItFromTheFirst() throws Exception {
    streamA.publish(new AMQP.BasicProperties(), "from elsewhere".getBytes(StandardCharsets.UTF_8));
    streamB.publish(new AMQP.BasicProperties(), "from elsewhere".getBytes(StandardCharsets.UTF_8));
    GetResponse taken = streamA.channel().basicGet(Topology.DEFAULT_QUEUE, false);
    streamA.channel().basicReject(taken.getEnvelope().getDeliveryTag(), true);
    start("one", "");

    awaitSettled();

    assertThat(sink.counts()).isEqualTo(Map.of("from elsewhere", 2));
    assertThat(sink.bypassed()).isOne();
  }

  @Test
  void check_saysWhatIsWrongWithABroker() throws Exception {
    String good = yaml("x", "");
    assertThatThrownBy(() -> check(good.replaceFirst("user: [a-z-]+", "user: nobody")))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("broker a")
        .hasMessageContaining("refused user 'nobody': check user and password");
    assertThatThrownBy(() -> check(good.replace("{name: a,", "{name: a, virtual-host: none,")))
        .hasMessageContaining("check virtual-host");
    assertThatThrownBy(() -> check(good.replace("{name: a,", "{name: a, queue-type: quorum,")))
        .hasMessageContaining("exists with other arguments")
        .hasMessageContaining("x-queue-type");
    assertThatThrownBy(() -> check(good.replace("port: " + brokerA.port(), "port: 1")))
        .hasMessageContaining("unreachable (Connection refused");
  }

  private static void check(String yaml) throws Exception {
    QueueProbe.check(Settings.queues(parsed(yaml)).get(0));
  }
}
