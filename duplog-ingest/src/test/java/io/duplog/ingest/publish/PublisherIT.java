package io.duplog.ingest.publish;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.rabbitmq.client.AMQP;
import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import com.rabbitmq.client.GetResponse;
import io.duplog.config.ConfigException;
import io.duplog.config.ConfigLoader;
import io.duplog.parts.RabbitMq;
import io.duplog.wire.Envelope;
import io.duplog.wire.Heartbeat;
import io.duplog.wire.Topology;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Tests with a real RabbitMQ that the publisher delivers each batch after a full queue, an alarm, a
 * restart or a deleted queue.
 */
class PublisherIT {
  private static final long TIMEOUT_NANOS = TimeUnit.SECONDS.toNanos(60);
  private static final long SHORT_WAIT_NANOS = TimeUnit.SECONDS.toNanos(2);
  private static final String GUEST = "user: guest, password: guest";

  private static @AutoClose RabbitMq broker;

  private String queue;
  private @AutoClose BatchPublisher publisher;

  @BeforeAll
  static void startBroker() {
    broker = RabbitMq.started();
  }

  @BeforeEach
  void startPublisher(TestInfo test) throws Exception {
    queue = test.getTestMethod().orElseThrow().getName();
    start("", Duration.ZERO);
  }

  private void start(String keys, Duration heartbeat) throws Exception {
    publisher =
        Publishing.to(
            settingsOfGuest(keys),
            new HeartbeatSettings(heartbeat, 0, null),
            null,
            "syslog-a",
            1 << 20);
    publisher.start();
  }

  @Test
  void submit_batch_isInDurableQueueWithEnvelope() throws Exception {
    OutgoingBatch batch = Batches.of("id-1");
    publish(batch);

    GetResponse response = drain(queue).get(0);
    AMQP.BasicProperties properties = response.getProps();
    assertThat(response.getBody()).isEqualTo(batch.body());
    assertThat(properties.getContentType()).isEqualTo(Envelope.CONTENT_TYPE);
    assertThat(properties.getContentEncoding()).isEqualTo("identity");
    assertThat(properties.getDeliveryMode()).isEqualTo(2);
    assertThat(properties.getMessageId()).isEqualTo("id-1");
    assertThat(properties.getHeaders().get(Envelope.STREAM_HEADER)).hasToString("syslog-a");
    assertThat(properties.getHeaders())
        .containsEntry(Envelope.COUNT_HEADER, 1)
        .containsEntry(Envelope.PUBLISHED_HEADER, 42L);
  }

  @Test
  void submit_notPersistent_isTransientAndConfirmed() throws Exception {
    publisher.close();
    start("persistent: false", Duration.ZERO);
    publish(Batches.of("id-1"));

    assertThat(drain(queue).get(0).getProps().getDeliveryMode()).isEqualTo(1);
  }

  @Test
  void heartbeats_besideBatches_areTransientAndExpire() throws Exception {
    publisher.close();
    start("", Duration.ofSeconds(1));
    publish(Batches.of("id-1"));

    Map<Boolean, List<GetResponse>> messages =
        drain(queue, PublisherIT::hasHeartbeatAfterAConfirm).stream()
            .collect(Collectors.partitioningBy(PublisherIT::isHeartbeat));
    assertThat(messages.get(false))
        .extracting(batch -> batch.getProps().getMessageId())
        .containsExactly("id-1");
    List<GetResponse> heartbeats = messages.get(true);
    assertThat(heartbeats)
        .extracting(GetResponse::getProps)
        .allMatch(each -> each.getDeliveryMode() == 1 && each.getExpiration().equals("3000"));
    Heartbeat lastHeartbeat = Heartbeat.decode(heartbeats.get(heartbeats.size() - 1).getBody());
    assertThat(lastHeartbeat.stream()).isEqualTo("syslog-a");
    assertThat(lastHeartbeat.report().confirmed()).isEqualTo(1);
  }

  private static boolean isHeartbeat(GetResponse message) {
    return Heartbeat.CONTENT_TYPE.equals(message.getProps().getContentType());
  }

  private static boolean hasHeartbeatAfterAConfirm(List<GetResponse> messages) {
    return messages.stream()
        .filter(PublisherIT::isHeartbeat)
        .anyMatch(each -> Heartbeat.decode(each.getBody()).report().confirmed() == 1);
  }

  @Test
  void submit_severalQueues_eachGetsItsBatchesAndHeartbeats() throws Exception {
    publisher.close();
    start("queue-count: 3", Duration.ofMinutes(10));
    publish(Batches.of("0", 0, "m"), Batches.of("1", 1, "m"), Batches.of("2", 2, "m"));

    for (int i = 0; i < 3; i++) {
      assertThat(drain(i == 0 ? queue : queue + "." + i, messages -> messages.size() >= 2))
          .extracting(each -> each.getProps().getMessageId())
          .containsExactlyInAnyOrder(Integer.toString(i), null); // a heartbeat has no id
    }
  }

  @Test
  void submit_fullQueue_isPublishedOnceThereIsSpace() throws Exception {
    publish(Batches.of("id-1"));
    broker.policy("full", queue, "{\"max-length\":1,\"overflow\":\"reject-publish\"}");

    Awaitility.await().until(this::isRejected);
    broker.ctl("purge_queue", queue);

    assertThat(publisher.awaitConfirmed(TIMEOUT_NANOS)).isTrue();
    assertThat(ids()).as("what was rejected is there once").hasSize(1);
  }

  @Test
  void submit_brokerAlarm_isPublishedAfterTheAlarm() throws Exception {
    Set<String> submitted = new LinkedHashSet<>();
    broker.raiseAlarm();
    try {
      Awaitility.await()
          .until(
              () -> {
                submit(submitted, 1);
                return publisher.condition().contains("blocks publishers");
              });
      assertNothingMoreIsConfirmed(submitted);
      assertThatThrownBy(() -> Publishing.check(settingsOfGuest(""), "syslog-a", 1 << 20))
          .as("what --check says meanwhile")
          .hasMessageContaining("takes nothing from publishers (low on ");
    } finally {
      broker.clearAlarm();
    }
    assertThat(publisher.awaitConfirmed(TIMEOUT_NANOS)).isTrue();
    assertThat(ids()).isEqualTo(submitted);
  }

  @Test
  void submit_brokerRestarted_losesNoBatch() throws Exception {
    Set<String> submitted = new LinkedHashSet<>();
    submit(submitted, 200);
    broker.stopApp();
    submit(submitted, 200);
    Awaitility.await().until(() -> publisher.condition().contains("unreachable"));
    assertNothingMoreIsConfirmed(submitted);
    broker.startApp();
    submit(submitted, 200);
    assertThat(publisher.awaitConfirmed(TIMEOUT_NANOS)).isTrue();
    assertThat(ids()).isEqualTo(submitted);
  }

  @Test
  void submit_queueDeleted_isDeclaredAgain() throws Exception {
    publish(Batches.of("id-1"));
    broker.ctl("delete_queue", queue);
    publish(Batches.of("id-2"));
    assertThat(ids()).containsExactly("id-2");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          guest  | wrong | /        | refused user 'guest': check user and password
          guest  | guest | /nowhere | /nowhere … check virtual-host
          reader | right | /        | give user 'reader' permission
          """)
  void check_brokerRefuses_errorIsOneLine(
      String user, String password, String virtualHost, String words) {
    if (user.equals("reader")) {
      broker.ctl("add_user", "reader", "right");
      broker.ctl("set_permissions", "-p", "/", "reader", "", "", ".*");
    }
    assertFails(
        "user: %s, password: %s, virtual-host: %s".formatted(user, password, virtualHost), words);
  }

  @Test
  void check_queueWithOtherArguments_errorIsOneLine() throws Exception {
    queue = queue + "-odd";
    try (Connection connection = broker.connections().newConnection();
        Channel channel = connection.createChannel()) {
      channel.queueDeclare(queue, true, false, false, Map.of("x-max-length", 5));
    }
    assertFails(GUEST, "queue " + queue + " exists with other arguments");
  }

  @Test
  void check_healthyBroker_declaresTheQueue() throws Exception {
    queue = queue + "-checked";
    Publishing.check(settingsOfGuest(""), "syslog-a", 1 << 20);
    assertThat(broker.depth(queue)).isZero();
  }

  @Test
  void submit_lowMaxMessageSize_isPublishedInPartsAndCheckFails() throws Exception {
    setMaxMessageSize(100_000);
    try {
      publisher.close();
      start("", Duration.ZERO);
      publish(largeBatch("a"), Batches.of("b"), largeBatch("c"));
      assertThat(ids())
          .containsExactlyInAnyOrder(
              "a.1.1", "a.1.2", "a.2.1", "a.2.2", "b", "c.1.1", "c.1.2", "c.2.1", "c.2.2");
      assertFails(GUEST, "takes no body of 1048576 bytes (PRECONDITION_FAILED");
    } finally {
      setMaxMessageSize(16 << 20);
    }
  }

  /** Sets the broker's maximum message size for channels that are opened afterwards. */
  private static void setMaxMessageSize(int bytes) {
    // RabbitMQ 3 reads the first setting for each message; 4 copies it to the second one when it
    // starts.
    broker.ctl(
        "eval",
        "application:set_env(rabbit, max_message_size, %1$d), persistent_term:put(max_message_size, %1$d)."
            .formatted(bytes));
  }

  /** Returns a batch of 300,000 bytes. */
  private static OutgoingBatch largeBatch(String id) {
    return Batches.of(id, 0, Collections.nCopies(100, "x".repeat(3_000)).toArray(String[]::new));
  }

  private void assertFails(String keys, String words) {
    assertThatThrownBy(() -> Publishing.check(settings(keys), "syslog-a", 1 << 20))
        .isInstanceOf(IOException.class)
        .hasMessageStartingWith("broker syslog-a (" + broker.host() + ":" + broker.port() + ") ")
        .hasMessageContainingAll(words.split(" … "))
        .hasMessageNotContaining("\n");
  }

  private void publish(OutgoingBatch... batches) throws InterruptedException {
    List.of(batches).forEach(publisher::submit);
    assertThat(publisher.awaitConfirmed(TIMEOUT_NANOS)).isTrue();
  }

  /**
   * Submits a batch, and returns whether the broker rejects it. A policy takes effect with a delay.
   */
  private boolean isRejected() throws InterruptedException {
    publisher.submit(Batches.of("more-" + System.nanoTime()));
    while (!publisher.awaitConfirmed(TimeUnit.MILLISECONDS.toNanos(100))) {
      if (publisher.condition().contains("rejects what is published")) {
        return true;
      }
    }
    return false;
  }

  private void assertNothingMoreIsConfirmed(Set<String> submitted) throws InterruptedException {
    submit(submitted, 1);
    assertThat(publisher.awaitConfirmed(SHORT_WAIT_NANOS)).isFalse();
  }

  private void submit(Set<String> submitted, int count) {
    for (int i = 0; i < count; i++) {
      String id = "id-" + submitted.size();
      submitted.add(id);
      publisher.submit(Batches.of(id));
    }
  }

  /**
   * Returns the batch ids in the queue, and empties the queue. A repeated id counts once, as in the
   * bridge.
   */
  private Set<String> ids() throws Exception {
    return drain(queue).stream()
        .map(response -> response.getProps().getMessageId())
        .collect(Collectors.toCollection(LinkedHashSet::new));
  }

  /** Takes messages from a queue until a condition is true for them. */
  private static List<GetResponse> drain(String name, Predicate<List<GetResponse>> condition) {
    List<GetResponse> messages = new ArrayList<>();
    Awaitility.await()
        .until(
            () -> {
              messages.addAll(drain(name));
              return condition.test(messages);
            });
    return messages;
  }

  /** Takes all messages from a queue. Declares the queue in the same way as shim and bridge. */
  private static List<GetResponse> drain(String name) throws Exception {
    List<GetResponse> responses = new ArrayList<>();
    try (Connection connection = broker.connections().newConnection();
        Channel channel = connection.createChannel()) {
      channel.queueDeclare(
          name, true, false, false, Topology.queueArguments(Topology.QueueType.CLASSIC));
      for (GetResponse next = channel.basicGet(name, true);
          next != null;
          next = channel.basicGet(name, true)) {
        responses.add(next);
      }
    }
    return responses;
  }

  private BrokerSettings settingsOfGuest(String keys) throws ConfigException {
    return settings(GUEST + ", " + keys);
  }

  private BrokerSettings settings(String keys) throws ConfigException {
    return ConfigLoader.of(Map.of(), "host-1")
        .parse(
            "duplog-ingest.yaml",
            "{host: %s, port: %d, queue: %s, connect-timeout: 5s, %s}"
                .formatted(broker.host(), broker.port(), queue, keys),
            BrokerSettings.class);
  }
}
