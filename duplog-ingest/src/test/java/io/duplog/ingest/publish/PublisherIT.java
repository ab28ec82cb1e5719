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

/** Tests what the publisher promises, with a real RabbitMQ. */
class PublisherIT {
  private static final long PATIENCE = TimeUnit.SECONDS.toNanos(60);
  private static final long A_MOMENT = TimeUnit.SECONDS.toNanos(2);
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
            guest(keys), new HeartbeatSettings(heartbeat, 0, null), null, "syslog-a", 1 << 20);
    publisher.start();
  }

  @Test
  void batch_confirmed_isInTheDurableQueueWithItsEnvelope() throws Exception {
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
  void batch_notPersistent_isMarkedTransientAndConfirmedAllTheSame() throws Exception {
    publisher.close();
    start("persistent: false", Duration.ZERO);
    publish(Batches.of("id-1"));

    assertThat(drain(queue).get(0).getProps().getDeliveryMode()).isEqualTo(1);
  }

  @Test
  void heartbeats_comeBesideTheBatches_areTransient_andExpire() throws Exception {
    publisher.close();
    start("", Duration.ofSeconds(1));
    publish(Batches.of("id-1"));

    Map<Boolean, List<GetResponse>> came =
        drain(queue, PublisherIT::hasHeartbeatAfterAConfirm).stream()
            .collect(Collectors.partitioningBy(PublisherIT::isHeartbeat));
    assertThat(came.get(false))
        .extracting(batch -> batch.getProps().getMessageId())
        .containsExactly("id-1");
    List<GetResponse> heartbeats = came.get(true);
    assertThat(heartbeats)
        .extracting(GetResponse::getProps)
        .allMatch(each -> each.getDeliveryMode() == 1 && each.getExpiration().equals("3000"));
    Heartbeat last = Heartbeat.decode(heartbeats.get(heartbeats.size() - 1).getBody());
    assertThat(last.stream()).isEqualTo("syslog-a");
    assertThat(last.report().confirmed()).isEqualTo(1);
  }

  private static boolean isHeartbeat(GetResponse message) {
    return Heartbeat.CONTENT_TYPE.equals(message.getProps().getContentType());
  }

  private static boolean hasHeartbeatAfterAConfirm(List<GetResponse> came) {
    return came.stream()
        .filter(PublisherIT::isHeartbeat)
        .anyMatch(each -> Heartbeat.decode(each.getBody()).report().confirmed() == 1);
  }

  @Test
  void severalQueues_eachGetsItsBatches_andAllGetHeartbeats() throws Exception {
    publisher.close();
    start("queue-count: 3", Duration.ofMinutes(10));
    publish(Batches.of("0", 0, "m"), Batches.of("1", 1, "m"), Batches.of("2", 2, "m"));

    for (int i = 0; i < 3; i++) {
      assertThat(drain(i == 0 ? queue : queue + "." + i, came -> came.size() >= 2))
          .extracting(each -> each.getProps().getMessageId())
          .containsExactlyInAnyOrder(Integer.toString(i), null); // a heartbeat has no id
    }
  }

  @Test
  void fullQueue_rejects_untilThereIsRoom() throws Exception {
    publish(Batches.of("id-1"));
    broker.policy("full", queue, "{\"max-length\":1,\"overflow\":\"reject-publish\"}");

    Awaitility.await().until(this::rejected);
    broker.ctl("purge_queue", queue);

    assertThat(publisher.awaitConfirmed(PATIENCE)).isTrue();
    assertThat(ids()).as("what was rejected is there once").hasSize(1);
  }

  @Test
  void alarm_blocks_untilItIsOver() throws Exception {
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
      assertThatThrownBy(() -> Publishing.check(guest(""), "syslog-a", 1 << 20))
          .as("what --check says meanwhile")
          .hasMessageContaining("takes nothing from publishers (low on ");
    } finally {
      broker.clearAlarm();
    }
    assertThat(publisher.awaitConfirmed(PATIENCE)).isTrue();
    assertThat(ids()).isEqualTo(submitted);
  }

  @Test
  void brokerRestarted_underLoad_losesNothing() throws Exception {
    Set<String> submitted = new LinkedHashSet<>();
    submit(submitted, 200);
    broker.stopApp();
    submit(submitted, 200);
    Awaitility.await().until(() -> publisher.condition().contains("unreachable"));
    assertNothingMoreIsConfirmed(submitted);
    broker.startApp();
    submit(submitted, 200);
    assertThat(publisher.awaitConfirmed(PATIENCE)).isTrue();
    assertThat(ids()).isEqualTo(submitted);
  }

  @Test
  void deletedQueue_isDeclaredAgainAndLosesNothingNew() throws Exception {
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
  void brokerThatRefuses_isOneClearLine(
      String user, String password, String virtualHost, String words) {
    if (user.equals("reader")) {
      broker.ctl("add_user", "reader", "right");
      broker.ctl("set_permissions", "-p", "/", "reader", "", "", ".*");
    }
    assertFails(
        "user: %s, password: %s, virtual-host: %s".formatted(user, password, virtualHost), words);
  }

  @Test
  void queueWithOtherArguments_isOneClearLine() throws Exception {
    queue = queue + "-odd";
    try (Connection connection = broker.connections().newConnection();
        Channel channel = connection.createChannel()) {
      channel.queueDeclare(queue, true, false, false, Map.of("x-max-length", 5));
    }
    assertFails(GUEST, "queue " + queue + " exists with other arguments");
  }

  @Test
  void check_ofAWellBroker_declaresTheQueue() throws Exception {
    queue = queue + "-checked";
    Publishing.check(guest(""), "syslog-a", 1 << 20);
    assertThat(broker.depth(queue)).isZero();
  }

  @Test
  void brokerWithALowLimit_getsABatchInParts_andTheCheckSaysWhatToChange() throws Exception {
    mostBytes(100_000);
    try {
      publisher.close();
      start("", Duration.ZERO);
      publish(noise("a"), Batches.of("b"), noise("c"));
      assertThat(ids())
          .containsExactlyInAnyOrder(
              "a.1.1", "a.1.2", "a.2.1", "a.2.2", "b", "c.1.1", "c.1.2", "c.2.1", "c.2.2");
      assertFails(GUEST, "takes no body of 1048576 bytes (PRECONDITION_FAILED");
    } finally {
      mostBytes(16 << 20);
    }
  }

  /** Counts for channels that are opened from now on. */
  private static void mostBytes(int bytes) {
    // RabbitMQ 3 reads the first at each message; 4 has it in the second from its start on.
    broker.ctl(
        "eval",
        "application:set_env(rabbit, max_message_size, %1$d), persistent_term:put(max_message_size, %1$d)."
            .formatted(bytes));
  }

  /** Returns a batch of 300,000 bytes. */
  private static OutgoingBatch noise(String id) {
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
    assertThat(publisher.awaitConfirmed(PATIENCE)).isTrue();
  }

  /** Submits batches until one is rejected; a policy takes a moment to work. */
  private boolean rejected() throws InterruptedException {
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
    assertThat(publisher.awaitConfirmed(A_MOMENT)).isFalse();
  }

  private void submit(Set<String> submitted, int count) {
    for (int i = 0; i < count; i++) {
      String id = "id-" + submitted.size();
      submitted.add(id);
      publisher.submit(Batches.of(id));
    }
  }

  /** Returns the ids in the queue, and empties it; a repetition counts once, as with the bridge. */
  private Set<String> ids() throws Exception {
    return drain(queue).stream()
        .map(response -> response.getProps().getMessageId())
        .collect(Collectors.toCollection(LinkedHashSet::new));
  }

  /** Takes what comes into a queue until it is what is wanted. */
  private static List<GetResponse> drain(String name, Predicate<List<GetResponse>> wanted) {
    List<GetResponse> came = new ArrayList<>();
    Awaitility.await()
        .until(
            () -> {
              came.addAll(drain(name));
              return wanted.test(came);
            });
    return came;
  }

  /** Takes what a queue holds, which has to be declared as shim and bridge do. */
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

  private BrokerSettings guest(String keys) throws ConfigException {
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
