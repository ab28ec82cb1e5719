package io.duplog.bridge;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.rabbitmq.client.AMQP;
import com.rabbitmq.client.GetResponse;
import io.duplog.config.ConfigLoader;
import io.duplog.dedup.Claim;
import io.duplog.dedup.Digester;
import io.duplog.dedup.Identity;
import io.duplog.dedup.Judgement;
import io.duplog.dedup.Progress;
import io.duplog.dedup.RedisLedger;
import io.duplog.parts.RabbitMq;
import io.duplog.parts.Redis;
import io.duplog.receive.QueueConsumer;
import io.duplog.wire.BatchDecoder;
import io.duplog.wire.BatchLimits;
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
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Whole bridges between two real brokers, a real Redis and a sink that remembers. */
class BridgeIT {
  private static final Duration GRACE = Duration.ofSeconds(5);

  private static RabbitMq brokerA;
  private static RabbitMq brokerB;
  private static Redis redis;

  private final List<Bridge> bridges = new ArrayList<>();
  private final CollectingSink sink = new CollectingSink();
  private TestPublisher streamA;
  private TestPublisher streamB;

  @BeforeAll
  static void startServers() {
    brokerA = RabbitMq.started();
    brokerB = RabbitMq.started();
    redis = Redis.started();
  }

  @AfterAll
  static void stopServers() {
    brokerA.close();
    brokerB.close();
    redis.close();
  }

  @BeforeEach
  void connect() throws Exception {
    redis.cli("flushall");
    streamA = new TestPublisher(brokerA, "a");
    streamB = new TestPublisher(brokerB, "b");
  }

  @AfterEach
  void stopBridges() throws Exception {
    sink.accept();
    bridges.forEach(bridge -> bridge.stop(GRACE));
    for (TestPublisher each : List.of(streamA, streamB)) {
      if (each.channel().isOpen()) {
        each.channel().queueDelete(Topology.DEFAULT_QUEUE);
        each.channel().queueDelete(Topology.deadLetterQueue(Topology.DEFAULT_QUEUE));
      }
      each.close();
    }
  }

  private static String yaml(String name, String more) {
    return """
        name: %s
        streams:
          - {name: a, host: %s, port: %d}
          - {name: b, host: %s, port: %d}
        dedup: {lease: 2s, redis: {host: %s, port: %d}}
        %s
        sink: {type: stdout}
        shutdown-grace: 5s
        %s
        """
        .formatted(
            name,
            brokerA.host(),
            brokerA.port(),
            brokerB.host(),
            brokerB.port(),
            redis.host(),
            redis.port(),
            more.startsWith("receive:") ? "" : "receive: {retry-min: 200ms, retry-max: 1s}",
            more);
  }

  private static BridgeConfig config(String name, String more) throws Exception {
    return ConfigLoader.of(Map.of(), "host")
        .parse("test.yaml", yaml(name, more), BridgeConfig.class);
  }

  private Bridge start(String name, String more) throws Exception {
    BridgeConfig config = config(name, more);
    Bridge bridge = new Bridge(config, Settings.ledger(config), sink);
    bridges.add(bridge);
    bridge.start();
    return bridge;
  }

  /** Until nothing is in the queues: neither ready nor delivered and unacknowledged. */
  private void awaitSettled() {
    await()
        .atMost(Duration.ofSeconds(30))
        .until(
            () ->
                isDrained(streamA)
                    && isDrained(streamB)
                    && brokerA.depth(Topology.DEFAULT_QUEUE) == 0
                    && brokerB.depth(Topology.DEFAULT_QUEUE) == 0);
  }

  /** Cheaper to ask than the depth, and blind for what is delivered and not acknowledged. */
  private static boolean isDrained(TestPublisher stream) throws IOException {
    return !stream.channel().isOpen() || stream.channel().messageCount(Topology.DEFAULT_QUEUE) == 0;
  }

  private static String[] numbered(int from, int to) {
    return IntStream.range(from, to).mapToObj(i -> "message " + i).toArray(String[]::new);
  }

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

  @Test
  void repeats_withinOneStream_areDelivered() throws Exception {
    start("one", "");
    streamA.publish("again", "again", "again", "again", "again");
    streamB.publish("again", "again");

    awaitSettled();

    assertThat(sink.counts()).containsExactly(Map.entry("again", 5));
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
  void bridge_diedBetweenVerdictAndSettle_itsBatchIsDeliveredByTheOther() throws Exception {
    BridgeConfig config = config("dying", "");
    try (RedisLedger dying = Settings.redisLedger(config)) {
      dying.advance(new Progress(List.of(), List.of(), 0, false));
      String id = streamA.publish("x");
      dying.judge(claim(id, 0, "x"));
    }
    streamB.publish("x");
    start("living", "");

    awaitSettled();

    assertThat(sink.counts()).containsOnlyKeys("x");
    assertThat(sink.count()).isBetween(1, 2);
  }

  @Test
  void bridge_diedAfterDelivery_redeliveryHasTheSameVerdict() throws Exception {
    BridgeConfig config = config("dying", "");
    try (RedisLedger dying = Settings.redisLedger(config)) {
      dying.advance(new Progress(List.of(), List.of(), 0, false));
      String id = streamA.publish("x", "y");
      Judgement.Counted counted = (Judgement.Counted) dying.judge(claim(id, 0, "x", "y"));
      dying.advance(
          new Progress(
              List.of(new Progress.Done(id, counted.epoch(), counted.number())),
              List.of(),
              0,
              false));
    }
    streamB.publish("x", "z");
    start("living", "");

    awaitSettled();

    assertThat(sink.counts()).isEqualTo(Map.of("z", 1));
  }

  private static Claim claim(String id, int stream, String... messages) throws Exception {
    var encoded = TestPublisher.encode(messages);
    return new Claim(
        id,
        stream,
        new Digester(Identity.SENDER_AND_MESSAGE)
            .digest(
                new BatchDecoder(BatchLimits.DEFAULT).decode(encoded.body(), encoded.encoding())));
  }

  @Test
  void redis_pausedAndBack_messagesPassThrough_thenAreDeduplicatedAgain() throws Exception {
    start("one", "");
    streamA.publish("before");
    streamB.publish("before");
    awaitSettled();
    redis.pause();
    try {
      for (int i = 0; i < 20; i++) {
        streamA.publish("while away " + i);
        streamB.publish("while away " + i);
      }
      awaitSettled();
    } finally {
      redis.unpause();
    }

    assertThat(sink.bypassed()).isPositive();
    assertThat(sink.counts()).hasSize(21);
    awaitDeduplication();
  }

  @Test
  void redis_killedAndBack_messagesPassThrough_thenAreDeduplicatedAgain() throws Exception {
    start("one", "");
    streamA.publish("before");
    streamB.publish("before");
    awaitSettled();
    redis.kill();
    try {
      streamA.publish(numbered(0, 50));
      streamB.publish(numbered(0, 50));
      awaitSettled();
    } finally {
      redis.start();
    }

    assertThat(sink.counts()).hasSize(51);
    assertThat(sink.bypassed()).isPositive();
    awaitDeduplication();
  }

  /** Until a fresh message of both streams arrives once. */
  private void awaitDeduplication() {
    int[] round = {0};
    await()
        .atMost(Duration.ofSeconds(30))
        .pollInterval(Duration.ofMillis(200))
        .until(
            () -> {
              String fresh = "fresh " + round[0]++;
              streamA.publish(fresh);
              streamB.publish(fresh);
              awaitSettled();
              return sink.counts().get(fresh) == 1;
            });
  }

  @Test
  void broker_killedAndBack_nothingIsLost_andTheOtherStreamGoesOn() throws Exception {
    start("one", "");
    streamA.publish(numbered(0, 100));
    brokerA.kill();
    streamB.publish(numbered(0, 200));
    await().until(() -> sink.counts().size() == 200);
    brokerA.start();

    awaitSettled();

    assertThat(sink.counts()).hasSize(200);
    assertThat(sink.counts().values()).allMatch(count -> count <= 2);
  }

  @Test
  void connections_closedByTheBroker_areMadeAgain_withoutLossOrDuplicate() throws Exception {
    start("one", "");
    streamA.publish("before");
    await().until(() -> sink.count() == 1);
    brokerA.closeConnections("maintenance");
    streamA.close();
    streamA = new TestPublisher(brokerA, "a");
    streamA.publish("after");
    streamB.publish("before", "after");

    awaitSettled();

    assertThat(sink.counts()).isEqualTo(Map.of("before", 1, "after", 1));
  }

  @Test
  void memoryStore_needsNoRedis() throws Exception {
    redis.pause();
    try {
      BridgeConfig memory =
          ConfigLoader.of(Map.of(), "host")
              .parse(
                  "test.yaml",
                  yaml("memory", "").replaceAll("dedup: .*", "dedup: {store: memory}"),
                  BridgeConfig.class);
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
  void stop_settlesWhatIsInFlight() throws Exception {
    sink.refuse();
    Bridge bridge = start("one", "");
    streamA.publish("x");
    await().until(() -> sink.waiting() == 1);
    Thread stopping = new Thread(() -> bridge.stop(GRACE));
    stopping.start();
    sink.accept();
    stopping.join();
    bridges.clear();

    assertThat(brokerA.depth(Topology.DEFAULT_QUEUE)).isZero();
    assertThat(sink.counts()).isEqualTo(Map.of("x", 1));
  }

  @Test
  void stop_withADeafSink_leavesTheBatchInTheQueue() throws Exception {
    sink.refuse();
    Bridge bridge = start("one", "");
    streamA.publish("x");
    await().until(() -> sink.waiting() == 1);

    assertThat(bridge.stop(GRACE)).isFalse();
    bridges.clear();

    await().until(() -> brokerA.depth(Topology.DEFAULT_QUEUE) == 1);
  }

  @Test
  void heldBytes_beyondTheLimit_pauseTheStream_untilThereIsRoom() throws Exception {
    sink.refuse();
    start("one", "receive: {prefetch: 10000, prefetch-bytes: 1MiB}");
    String big = "x".repeat(50_000);
    for (int i = 0; i < 200; i++) {
      streamA.publish(i + big);
    }

    await()
        .during(Duration.ofSeconds(1))
        .atMost(Duration.ofSeconds(20))
        .until(() -> sink.waiting() > 0);
    assertThat(sink.waiting()).isLessThan(200);
    sink.accept();

    awaitSettled();
    assertThat(sink.counts()).hasSize(200);
  }

  @Test
  void check_saysWhatIsWrongWithABroker() throws Exception {
    String good = yaml("x", "");
    assertThatThrownBy(() -> check(good.replace("{name: a,", "{name: a, user: nobody,")))
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
    BridgeConfig config =
        ConfigLoader.of(Map.of(), "host").parse("test.yaml", yaml, BridgeConfig.class);
    QueueConsumer.check(Settings.queues(config).get(0));
  }
}
