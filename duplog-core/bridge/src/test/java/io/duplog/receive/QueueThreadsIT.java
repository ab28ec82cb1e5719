package io.duplog.receive;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.rabbitmq.client.AMQP;
import com.rabbitmq.client.Connection;
import io.duplog.amqp.BrokerLogin;
import io.duplog.amqp.BrokerThreads;
import io.duplog.parts.RabbitMq;
import io.duplog.wire.Topology;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Tests how many threads a bridge needs for each queue and each broker, with a real RabbitMQ. */
class QueueThreadsIT {
  private static final int QUEUES = 12;

  private static RabbitMq broker;

  @BeforeAll
  static void start() {
    broker = RabbitMq.started();
  }

  @AfterAll
  static void stop() {
    broker.close();
  }

  @Test
  void queuesOfABroker_costTwoThreadsEach_andShareTheRest() throws Exception {
    Connection sender = broker.connections().newConnection();
    Set<Thread> before = Thread.getAllStackTraces().keySet();
    Set<String> brought = ConcurrentHashMap.newKeySet();
    QueueConsumer.Environment environment = QueueConsumer.Environment.ofSystem();
    List<QueueConsumer> consumers = new ArrayList<>();
    for (int i = 0; i < QUEUES; i++) {
      QueueConsumer consumer =
          new QueueConsumer(
              queue(i),
              AcknowledgePolicy.EACH,
              new HeldBytes(1 << 20),
              delivery -> {
                brought.add(delivery.properties().getMessageId());
                delivery.settle();
              },
              environment);
      consumers.add(consumer);
      consumer.start();
    }
    await().until(() -> consumers.stream().allMatch(QueueConsumer::isConsuming));
    for (int i = 0; i < QUEUES; i++) {
      sender
          .createChannel()
          .basicPublish(
              "",
              queue(i).queue(),
              new AMQP.BasicProperties.Builder().messageId("m" + i).build(),
              new byte[1]);
    }
    await().until(() -> brought.size() == QUEUES);

    assertThat(namesBeside(before)).hasSizeLessThanOrEqualTo(QUEUES + BrokerThreads.MOST);

    consumers.forEach(QueueConsumer::close);
    sender.close();
  }

  /** A broker with an alarm reads nothing from publishers, so heartbeats to it may wait. */
  @Test
  void aConnectionThatPublishes_sharesNoThreadWithConsumers() throws Exception {
    Connector connector = Connector.ofSystem();
    Set<Thread> before = Thread.getAllStackTraces().keySet();
    try (Connection consuming = connector.connect(queue(0), "consumer");
        Connection publishing = connector.connectToPublish(queue(0), "publisher")) {
      assertThat(consuming.isOpen() && publishing.isOpen()).isTrue();
      await().until(() -> namesBeside(before).contains("amqp-heartbeats"));
      await().until(() -> namesBeside(before).contains("amqp"));
    }
    // Its threads end with the connection, because check opens one for each queue.
    await().until(() -> !namesBeside(before).contains("amqp"));
  }

  private static List<String> namesBeside(Set<Thread> before) {
    return Thread.getAllStackTraces().keySet().stream()
        .filter(thread -> !before.contains(thread))
        .map(Thread::getName)
        .filter(name -> name.startsWith("amqp") || name.startsWith("AMQP"))
        .toList();
  }

  private static QueueSettings queue(int number) {
    Duration patience = Duration.ofSeconds(5);
    return new QueueSettings(
        "a",
        new BrokerLogin(
            broker.host(), broker.port(), "/", "guest", "guest", patience, patience, null),
        Topology.DEFAULT_QUEUE + "-threads-" + number,
        Topology.QueueType.CLASSIC,
        QueueShare.WHOLE,
        10,
        patience,
        patience);
  }
}
