package io.duplog.bridge;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.rabbitmq.client.AMQP;
import com.rabbitmq.client.GetResponse;
import io.duplog.bridge.settings.BridgeConfig;
import io.duplog.cli.Commands;
import io.duplog.receive.QueueProbe;
import io.duplog.wire.Envelope;
import io.duplog.wire.Topology;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Tests that bridges deliver each message once while nothing fails, and set aside bodies that are
 * no batches.
 */
class BridgeIT extends BridgeBetweenServers {
  private static final int QUEUES = 4;

  @ParameterizedTest
  @ValueSource(
      strings = {
        "settle: {acknowledge: each}",
        "settle: {acknowledge: count, acknowledge-count: 7}",
        "settle: {acknowledge: interval, acknowledge-interval: 50ms}"
      })
  void twoBridges_sharingTwoStreams_deliverEachMessageOnce(String policy) throws Exception {
    start("one", policy);
    start("two", policy);
    for (int i = 0; i < 100; i++) {
      publish(numbered(i * 10, i * 10 + 10));
    }

    awaitSettled();

    assertThat(sink.counts()).hasSize(1000).values().containsOnly(1);
    assertThat(sink.bypassed()).isZero();
  }

  /**
   * Each bridge has a memory of its own, so copies that met in two bridges would be delivered
   * twice.
   */
  @Test
  void queuesSharedOut_bothCopiesOfAMessageMeetInOneBridge() throws Exception {
    Bridge one = start(sharing("one"));
    Bridge two = start(sharing("two"));
    try (SpreadPublisher a = new SpreadPublisher(brokerA, "a", QUEUES);
        SpreadPublisher b = new SpreadPublisher(brokerB, "b", QUEUES)) {
      await().until(() -> a.isReadBy(2) && b.isReadBy(2));
      a.publish(10, numbered(0, 400));
      b.publish(7, numbered(0, 400));
      await().until(() -> a.isSettled() && b.isSettled());
      String received = "duplog_copies_received_total{";
      assertThat(sum(one, received)).isBetween(200.0, 600.0);
      assertThat(sum(one, received) + sum(two, received)).isEqualTo(800);
      // Before the queues are deleted, or they would be declared again.
      bridges.forEach(bridge -> bridge.stop(GRACE));
      bridges.clear();
    }

    assertThat(sink.counts()).hasSize(400).values().containsOnly(1);
  }

  private static BridgeConfig sharing(String name) throws Exception {
    return parsed(
        yaml(name, "receive: {retry-min: 200ms, retry-max: 1s, bridges: [one, two]}")
            .replace("- {name:", "- {queue-count: %d, name:".formatted(QUEUES))
            .replace("dedup: {", "dedup: {store: memory, "));
  }

  /**
   * The queue is read as {@code localhost} and {@code 127.0.0.1}. If both counted, three of six
   * messages would be lost.
   */
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
        .until(
            () ->
                parts(one)
                    .contains(
                        "lag b DEGRADED The queue of stream b contains messages of stream a. They are"
                            + " delivered without deduplication. Run `duplog check`, then compare"
                            + " each shim's `stream`."));
  }

  /** Another bridge's messages under the stream's name come from another queue. */
  @Test
  void queueThatIsNotThere_isDeclared_withAWarning_andNotCalledFlowing() throws Exception {
    Bridge one = start("one", "");
    publish("x");
    await().until(() -> parts(one).contains("lag b OK flowing"));
    Bridge two = start(parsed(yaml("two", "").replace("name: b,", "name: b, queues: [duplog-b],")));
    try {
      await().until(() -> parts(two).contains("lag a OK flowing"));
      await()
          .untilAsserted(
              () ->
                  assertThat(two.status().document().render())
                      .contains("queue duplog-b did not exist and was declared"));
      assertThat(parts(two)).contains("lag b OK unknown");
    } finally {
      two.stop(GRACE);
      bridges.remove(two);
      streamB.delete("duplog-b");
    }
  }

  @Test
  void tap_showsWhatTheSinkGets_whereItIsOn() throws Exception {
    String url = start("one", "status: {listen: '127.0.0.1:0', tap: true}").status().open();
    CompletableFuture<String> seen =
        CompletableFuture.supplyAsync(
            () -> Commands.run(0, null, "tap", "--url", url, "--number", "1").out());
    await()
        .until(
            () -> {
              publish("<13>now");
              return seen.isDone();
            });
    assertThat(seen.join()).contains(" stream=").endsWith("\n<13>now\n");
    assertThat(Commands.run(1, null, "tap", "--url", url, "--sink", "elsewhere").err())
        .endsWith(" refuses: sink must be one of stdout\n");
    String off = start("two", "status: {listen: '127.0.0.1:0'}").status().open();
    assertThat(Commands.run(1, null, "tap", "--url", off).err()).contains("status.tap");
    awaitSettled();
  }

  private static String parts(Bridge bridge) {
    return bridge.status().health().conditions().stream()
        .map(part -> part.subject() + " " + part.level() + " " + part.sentence())
        .collect(Collectors.joining("\n"));
  }

  @Test
  void droppedCopy_isNotSettled_beforeTheKeptOneIsDelivered() throws Exception {
    sink.refuse();
    start("one", "");
    streamA.publish("x");
    await().until(() -> sink.waiting() == 1);
    streamB.publish("x");

    await().during(Duration.ofSeconds(1)).until(() -> brokerB.depth(Topology.DEFAULT_QUEUE) == 1);
    sink.accept();

    awaitSettled();
    assertThat(sink.counts()).isEqualTo(Map.of("x", 1));
  }

  @Test
  void bodies_thatCantBeUsed_goToTheDeadLetterQueue_withTheReason() throws Exception {
    start("one", "limits: {max-message: 1KiB, max-body: 4KiB}");
    AMQP.BasicProperties.Builder batch =
        new AMQP.BasicProperties.Builder().contentType(Envelope.CONTENT_TYPE);
    byte[] whole = TestPublisher.encode("x", "y").body();
    streamA.publish(batch.build(), whole);
    streamA.publish(batch.messageId("bad-1").build(), "hello".getBytes(UTF_8));
    streamA.publish(batch.build(), new byte[5000]);
    streamA.publish(batch.contentEncoding("br").build(), whole);
    streamA.publish(new AMQP.BasicProperties(), new byte[2000]);
    streamA.publish("good");

    String deadLetters = Topology.deadLetterQueue(Topology.DEFAULT_QUEUE);
    awaitSettled();
    await().until(() -> brokerA.depth(deadLetters) == 5);

    assertThat(sink.counts()).isEqualTo(Map.of("good", 1));
    List<String> reasons = new ArrayList<>();
    for (int i = 0; i < 5; i++) {
      GetResponse dead = streamA.channel().basicGet(deadLetters, true);
      reasons.add(dead.getProps().getHeaders().get(Envelope.REASON_HEADER).toString());
    }
    assertThat(reasons)
        .containsExactlyInAnyOrder(
            "batch without a usable message-id",
            "no batch header",
            "body of 5000 bytes, the limit is 4096",
            "unknown content-encoding 'br'",
            "message of 2000 bytes, the limit is 1024");
  }

  /** Nothing distinguishes a second publication from the first, so it passes through. */
  @Test
  void plainBody_ofAnyPublisher_isOneMessage_anewWithEachDelivery() throws Exception {
    publishPlain("from elsewhere");
    GetResponse taken = streamA.channel().basicGet(Topology.DEFAULT_QUEUE, false);
    streamA.channel().basicReject(taken.getEnvelope().getDeliveryTag(), true);
    publishPlain("once more");
    publishPlain("");
    start("one", "");

    awaitSettled();

    assertThat(sink.counts()).isEqualTo(Map.of("from elsewhere", 2, "once more", 1, "", 1));
    assertThat(sink.bypassed()).isOne();
  }

  private void publishPlain(String message) throws Exception {
    for (TestPublisher stream : List.of(streamA, streamB)) {
      stream.publish(new AMQP.BasicProperties(), message.getBytes(UTF_8));
    }
  }

  /** The shim reports what else may be wrong with a broker in the same words. */
  @Test
  void probe_ofABrokerThatIsNotThere_namesIt() throws Exception {
    String yaml = yaml("x", "").replace("port: " + brokerA.port(), "port: 1");

    assertThatThrownBy(() -> QueueProbe.open(parsed(yaml).queues().get(0)))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("broker a")
        .hasMessageContaining("unreachable (Connection refused");
  }
}
