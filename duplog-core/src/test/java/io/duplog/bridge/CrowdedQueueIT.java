package io.duplog.bridge;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import io.duplog.bridge.settings.BridgeConfig;
import io.duplog.bridge.settings.Settings;
import io.duplog.config.ConfigException;
import io.duplog.config.ConfigLoader;
import io.duplog.parts.RabbitMq;
import io.duplog.receive.AcknowledgePolicy;
import io.duplog.receive.Delivery;
import io.duplog.receive.HeldBytes;
import io.duplog.receive.QueueConsumer;
import io.duplog.receive.QueueSettings;
import io.duplog.wire.Topology;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** A queue whose prefetch is many times what the bridge has room for, as a flood leaves it. */
class CrowdedQueueIT {
  private static final Duration WHILE = Duration.ofMinutes(2);
  private static final int MEBIBYTE = 1 << 20;
  private static final int BODIES = 100;
  private static final long ROOM = 8 * MEBIBYTE;

  /**
   * How often the broker may send a body, on an average: once with the first crowd, once when there
   * is room, and once more where the prefetch was widened too soon.
   */
  private static final int TIMES = 3;

  private static RabbitMq broker;

  private final HeldBytes held = new HeldBytes(ROOM);
  private final Queue<Delivery> waiting = new ConcurrentLinkedQueue<>();
  private final Set<Integer> came = ConcurrentHashMap.newKeySet();

  @BeforeAll
  static void start() {
    broker = RabbitMq.started();
  }

  @AfterAll
  static void stop() {
    broker.close();
  }

  static Stream<Arguments> queuesAndPolicies() {
    AcknowledgePolicy each = AcknowledgePolicy.EACH;
    AcknowledgePolicy count = new AcknowledgePolicy(3, Duration.ofMillis(200));
    return Stream.of(Topology.QueueType.values())
        .flatMap(type -> Stream.of(Arguments.of(type, each), Arguments.of(type, count)));
  }

  @ParameterizedTest
  @MethodSource("queuesAndPolicies")
  void bodiesPastTheRoom_areGivenBack_andAllComeInTheEnd(
      Topology.QueueType type, AcknowledgePolicy policy) throws Exception {
    QueueSettings settings = settings(type, policy);
    publish(settings);
    try (QueueConsumer consumer =
        new QueueConsumer(
            settings,
            policy,
            held,
            delivery -> {
              came.add(ByteBuffer.wrap(delivery.body()).getInt());
              waiting.add(delivery);
            },
            QueueConsumer.Environment.ofSystem())) {
      consumer.start();
      await().atMost(WHILE).until(() -> held.isFull() && !consumer.isConsuming());
      // Whatever was on its way has come when the broker has all others again.
      await()
          .atMost(WHILE)
          .until(
              () ->
                  consumer.depth() != null && consumer.depth().ready() == BODIES - waiting.size());
      assertThat(held.bytes()).isLessThanOrEqualTo(ROOM + ROOM / 2 + MEBIBYTE);
      assertThat(waiting).as("none twice, as after a lost channel").hasSize(came.size());
      List<String> channels = channels();

      await()
          .atMost(WHILE)
          .until(
              () -> {
                for (Delivery next = waiting.poll(); next != null; next = waiting.poll()) {
                  next.settle();
                }
                return came.size() == BODIES && broker.depth(settings.queue()) == 0;
              });

      assertThat(channels()).as("never closed").isEqualTo(channels).isNotEmpty();
      assertThat(octetsSent()).isLessThan((long) TIMES * BODIES * MEBIBYTE);
    }
  }

  private static QueueSettings settings(Topology.QueueType type, AcknowledgePolicy policy)
      throws ConfigException {
    BridgeConfig config =
        ConfigLoader.of(Map.of(), "host")
            .parse(
                "test.yaml",
                """
                streams:
                  - {name: a, host: %s, port: %d, queues: [%s], queue-type: %s}
                  - {name: b}
                sink: {type: stdout}
                """
                    .formatted(
                        broker.host(),
                        broker.port(),
                        "%s-%s".formatted(type, policy.count()),
                        type.name().toLowerCase(Locale.ROOT)),
                BridgeConfig.class);
    return Settings.queues(config).get(0);
  }

  private static void publish(QueueSettings settings) throws Exception {
    try (Connection connection = broker.connections().newConnection();
        Channel channel = connection.createChannel()) {
      channel.queueDeclare(
          settings.queue(), true, false, false, Topology.queueArguments(settings.queueType()));
      channel.confirmSelect();
      for (int i = 0; i < BODIES; i++) {
        channel.basicPublish(
            "", settings.queue(), null, ByteBuffer.allocate(MEBIBYTE).putInt(0, i).array());
      }
      channel.waitForConfirmsOrDie(WHILE.toMillis());
    }
  }

  /** The consumer's channel, as the broker knows it: another one has another name. */
  private static List<String> channels() {
    return broker.ctl("list_channels", "--no-table-headers", "pid").lines().sorted().toList();
  }

  /** What the broker sent to those that are connected. */
  private static long octetsSent() {
    return broker
        .ctl("list_connections", "--no-table-headers", "send_oct")
        .lines()
        .mapToLong(Long::parseLong)
        .sum();
  }
}
