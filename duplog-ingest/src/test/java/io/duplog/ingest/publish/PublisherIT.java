package io.duplog.ingest.publish;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import com.rabbitmq.client.GetResponse;
import io.duplog.config.Secret;
import io.duplog.parts.RabbitMq;
import io.duplog.wire.BatchEncoder;
import io.duplog.wire.Envelope;
import io.duplog.wire.Heartbeat;
import io.duplog.wire.Topology;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;

/** What the publisher promises, held against a real RabbitMQ. */
class PublisherIT {
  private static final long PATIENCE = TimeUnit.SECONDS.toNanos(60);
  private static final long A_MOMENT = TimeUnit.SECONDS.toNanos(2);

  private static RabbitMq broker;

  private String queue;
  private BatchPublisher publisher;

  @BeforeAll
  static void startBroker() {
    broker = RabbitMq.started();
  }

  @AfterAll
  static void stopBroker() {
    broker.close();
  }

  @BeforeEach
  void startPublisher(TestInfo test) {
    queue = test.getTestMethod().orElseThrow().getName();
    publisher = Publishing.to(settings(), HeartbeatSettings.NONE, "syslog-a", 1 << 20);
    publisher.start();
  }

  @AfterEach
  void closePublisher() {
    publisher.close();
  }

  @Test
  void batch_confirmed_isInTheDurableQueueWithItsEnvelope() throws Exception {
    OutgoingBatch batch = batch("id-1", "10.0.0.1 hello");
    publisher.submit(batch);
    assertThat(publisher.awaitConfirmed(PATIENCE)).isTrue();

    try (Connection connection = broker.connections().newConnection();
        Channel channel = connection.createChannel()) {
      channel.queueDeclare(
          queue, true, false, false, Topology.queueArguments(Topology.QueueType.CLASSIC));
      GetResponse response = channel.basicGet(queue, true);
      assertThat(response.getBody()).isEqualTo(batch.body());
      assertThat(response.getProps().getContentType()).isEqualTo(Envelope.CONTENT_TYPE);
      assertThat(response.getProps().getContentEncoding()).isEqualTo("identity");
      assertThat(response.getProps().getDeliveryMode()).isEqualTo(2);
      assertThat(response.getProps().getMessageId()).isEqualTo("id-1");
      assertThat(response.getProps().getHeaders().get(Envelope.STREAM_HEADER))
          .hasToString("syslog-a");
      assertThat(response.getProps().getHeaders())
          .containsEntry(Envelope.COUNT_HEADER, 1)
          .containsEntry(Envelope.PUBLISHED_HEADER, 42L);
    }
  }

  @Test
  void batch_notPersistent_isMarkedTransientAndConfirmedAllTheSame() throws Exception {
    publisher.close();
    publisher =
        Publishing.to(
            settings("guest", "guest", "/", false), HeartbeatSettings.NONE, "syslog-a", 1 << 20);
    publisher.start();
    publisher.submit(batch("id-1", "a"));
    assertThat(publisher.awaitConfirmed(PATIENCE)).isTrue();

    try (Connection connection = broker.connections().newConnection();
        Channel channel = connection.createChannel()) {
      assertThat(channel.basicGet(queue, true).getProps().getDeliveryMode()).isEqualTo(1);
    }
  }

  @Test
  void heartbeats_comeBesideTheBatches_areTransient_andExpire() throws Exception {
    publisher.close();
    publisher =
        Publishing.to(
            settings(), new HeartbeatSettings(Duration.ofSeconds(1)), "syslog-a", 1 << 20);
    publisher.start();
    publisher.submit(batch("id-1", "a"));
    assertThat(publisher.awaitConfirmed(PATIENCE)).isTrue();

    try (Connection connection = broker.connections().newConnection();
        Channel channel = connection.createChannel()) {
      List<Heartbeat> heartbeats = new ArrayList<>();
      List<String> batches = new ArrayList<>();
      Awaitility.await()
          .atMost(Duration.ofMinutes(1))
          .until(
              () -> {
                GetResponse next = channel.basicGet(queue, true);
                if (next != null
                    && Heartbeat.CONTENT_TYPE.equals(next.getProps().getContentType())) {
                  assertThat(next.getProps().getDeliveryMode()).isEqualTo(1);
                  assertThat(next.getProps().getExpiration()).isEqualTo("3000");
                  heartbeats.add(Heartbeat.decode(next.getBody()));
                } else if (next != null) {
                  batches.add(next.getProps().getMessageId());
                }
                return heartbeats.size() >= 2 && !batches.isEmpty();
              });
      assertThat(batches).containsExactly("id-1");
      assertThat(heartbeats).doesNotContainNull();
      Heartbeat last = heartbeats.get(heartbeats.size() - 1);
      assertThat(last.stream()).isEqualTo("syslog-a");
      assertThat(last.confirmed()).isEqualTo(1);
    }
  }

  @Test
  void severalQueues_eachGetsItsBatches_andAllGetHeartbeats() throws Exception {
    publisher.close();
    publisher =
        Publishing.to(
            settings("guest", "guest", "/", true, 3),
            new HeartbeatSettings(Duration.ofMinutes(10)),
            "syslog-a",
            1 << 20);
    publisher.start();
    for (int i = 0; i < 3; i++) {
      OutgoingBatch batch = batch("id-" + i, "message");
      publisher.submit(new OutgoingBatch(batch.envelope(), batch.body(), i));
    }
    assertThat(publisher.awaitConfirmed(PATIENCE)).isTrue();

    try (Connection connection = broker.connections().newConnection();
        Channel channel = connection.createChannel()) {
      for (int i = 0; i < 3; i++) {
        String name = i == 0 ? queue : queue + "." + i;
        List<String> came = new ArrayList<>();
        Awaitility.await()
            .atMost(Duration.ofMinutes(1))
            .until(
                () -> {
                  GetResponse next = channel.basicGet(name, true);
                  if (next != null) {
                    boolean batch = next.getProps().getMessageId() != null;
                    came.add(batch ? next.getProps().getMessageId() : "heartbeat");
                  }
                  return came.size() == 2;
                });
        assertThat(came).containsExactlyInAnyOrder("id-" + i, "heartbeat");
      }
    }
  }

  @Test
  void fullQueue_rejects_untilThereIsRoom() throws Exception {
    publisher.submit(batch("id-1", "a"));
    assertThat(publisher.awaitConfirmed(PATIENCE)).isTrue();
    broker.policy("full", queue, "{\"max-length\":1,\"overflow\":\"reject-publish\"}");

    Awaitility.await().until(() -> rejected("more-"));
    assertThat(publisher.condition()).contains("rejects what is published");
    broker.ctl("purge_queue", queue);

    assertThat(publisher.awaitConfirmed(PATIENCE)).isTrue();
    assertThat(ids()).as("what was rejected is there once").hasSize(1);
  }

  @Test
  void alarm_blocks_untilItIsOver() throws Exception {
    publisher.submit(batch("id-1", "a"));
    assertThat(publisher.awaitConfirmed(PATIENCE)).isTrue();
    broker.raiseAlarm();
    try {
      publisher.submit(batch("id-2", "b"));
      assertThat(publisher.awaitConfirmed(A_MOMENT)).isFalse();
      assertThat(publisher.condition()).contains("blocks publishers");
    } finally {
      broker.clearAlarm();
    }
    assertThat(publisher.awaitConfirmed(PATIENCE)).isTrue();
    assertThat(ids()).containsExactly("id-1", "id-2");
  }

  @Test
  void brokerRestarted_underLoad_losesNothing() throws Exception {
    Set<String> submitted = new LinkedHashSet<>();
    submit(submitted, 200);
    broker.stopApp();
    submit(submitted, 200);
    assertThat(publisher.awaitConfirmed(A_MOMENT)).isFalse();
    assertThat(publisher.condition()).contains("unreachable");
    broker.startApp();
    submit(submitted, 200);
    assertThat(publisher.awaitConfirmed(PATIENCE)).isTrue();
    assertThat(ids()).isEqualTo(submitted);
  }

  @Test
  void deletedQueue_isDeclaredAgainAndLosesNothingNew() throws Exception {
    publisher.submit(batch("id-1", "a"));
    assertThat(publisher.awaitConfirmed(PATIENCE)).isTrue();
    broker.ctl("delete_queue", queue);
    publisher.submit(batch("id-2", "b"));
    assertThat(publisher.awaitConfirmed(PATIENCE)).isTrue();
    assertThat(ids()).containsExactly("id-2");
  }

  @Test
  void wrongPassword_isOneClearLine() {
    assertFails(settings("guest", "wrong", "/"), "refused user 'guest': check user and password");
  }

  @Test
  void missingVirtualHost_isOneClearLine() {
    assertFails(settings("guest", "guest", "/nowhere"), "/nowhere", "check virtual-host");
  }

  @Test
  void userWithoutPermission_isOneClearLine() {
    broker.ctl("add_user", "reader", "secret");
    broker.ctl("set_permissions", "-p", "/", "reader", "", "", ".*");
    assertFails(settings("reader", "secret", "/"), "give user 'reader' permission");
  }

  @Test
  void queueWithOtherArguments_isOneClearLine() throws Exception {
    try (Connection connection = broker.connections().newConnection();
        Channel channel = connection.createChannel()) {
      publisher.close();
      channel.queueDeclare(queue + "-odd", true, false, false, Map.of("x-max-length", 5));
    }
    queue = queue + "-odd";
    assertFails(settings(), "queue " + queue + " exists with other arguments");
  }

  @Test
  void check_ofAWellBroker_declaresTheQueue() throws Exception {
    publisher.close();
    queue = queue + "-checked";
    Publishing.check(settings(), "syslog-a", 1 << 20);
    assertThat(broker.depth(queue)).isZero();
  }

  @Test
  void batchAboveTheBrokersLimit_arrivesInParts_andTheNextIsNotRefused() throws Exception {
    mostBytes(100_000);
    try {
      publisher.close();
      publisher = Publishing.to(settings(), HeartbeatSettings.NONE, "syslog-a", 1 << 20);
      publisher.start();
      publisher.submit(noise("id-1"));
      publisher.submit(batch("id-2", "b"));
      publisher.submit(noise("id-3"));
      assertThat(publisher.awaitConfirmed(PATIENCE)).isTrue();
      assertThat(ids())
          .containsExactlyInAnyOrder(
              "id-1.1.1",
              "id-1.1.2",
              "id-1.2.1",
              "id-1.2.2",
              "id-2",
              "id-3.1.1",
              "id-3.1.2",
              "id-3.2.1",
              "id-3.2.2");
    } finally {
      mostBytes(16 << 20);
    }
  }

  @Test
  void check_ofABrokerWithALowLimit_saysWhatToChange() {
    mostBytes(100_000);
    try {
      assertFails(settings(), "takes no body of 1048576 bytes (PRECONDITION_FAILED");
    } finally {
      mostBytes(16 << 20);
    }
  }

  /** Counts for channels that are opened from now on. */
  private static void mostBytes(int bytes) {
    broker.ctl("eval", "application:set_env(rabbit, max_message_size, %d).".formatted(bytes));
  }

  /** A batch of 300,000 bytes that nothing makes smaller. */
  private static OutgoingBatch noise(String id) {
    try (BatchEncoder encoder = new BatchEncoder(true, true)) {
      byte[] bytes = new byte[3_000];
      for (int i = 0; i < 100; i++) {
        new Random(i).nextBytes(bytes);
        encoder.add(bytes, 0, bytes.length);
      }
      return OutgoingBatch.of(encoder.encode(), id, "syslog-a", 42, 0);
    }
  }

  private static void assertFails(BrokerSettings settings, String... words) {
    assertThatThrownBy(() -> Publishing.check(settings, "syslog-a", 1 << 20))
        .isInstanceOf(IOException.class)
        .hasMessageStartingWith("broker syslog-a (" + broker.host() + ":" + broker.port() + ") ")
        .hasMessageContainingAll(words)
        .hasMessageNotContaining("\n");
  }

  /** Submits batches until one is rejected; a policy takes a moment to work. */
  private boolean rejected(String prefix) throws InterruptedException {
    publisher.submit(batch(prefix + System.nanoTime(), "x"));
    boolean confirmed = publisher.awaitConfirmed(TimeUnit.MILLISECONDS.toNanos(500));
    return !confirmed;
  }

  private void submit(Set<String> submitted, int count) {
    for (int i = 0; i < count; i++) {
      String id = "id-" + submitted.size();
      submitted.add(id);
      publisher.submit(batch(id, "message " + id));
    }
  }

  /** The ids in the queue, which is emptied; a repetition counts once, as with the bridge. */
  private Set<String> ids() throws Exception {
    Set<String> ids = new LinkedHashSet<>();
    try (Connection connection = broker.connections().newConnection();
        Channel channel = connection.createChannel()) {
      for (GetResponse response = channel.basicGet(queue, true);
          response != null;
          response = channel.basicGet(queue, true)) {
        ids.add(response.getProps().getMessageId());
      }
    }
    return ids;
  }

  private BrokerSettings settings() {
    return settings("guest", "guest", "/");
  }

  private BrokerSettings settings(String user, String password, String virtualHost) {
    return settings(user, password, virtualHost, true);
  }

  private BrokerSettings settings(
      String user, String password, String virtualHost, boolean persistent) {
    return settings(user, password, virtualHost, persistent, 1);
  }

  private BrokerSettings settings(
      String user, String password, String virtualHost, boolean persistent, int queues) {
    return new BrokerSettings(
        broker.host(),
        broker.port(),
        virtualHost,
        user,
        Secret.of(password),
        queue,
        Topology.QueueType.CLASSIC,
        queues,
        persistent,
        Duration.ofSeconds(10),
        Duration.ofSeconds(5),
        null);
  }

  private static OutgoingBatch batch(String id, String message) {
    try (BatchEncoder encoder = new BatchEncoder(true, false)) {
      byte[] bytes = message.getBytes(StandardCharsets.UTF_8);
      encoder.add(bytes, 0, bytes.length);
      return OutgoingBatch.of(encoder.encode(), id, "syslog-a", 42, 0);
    }
  }
}
