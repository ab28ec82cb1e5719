package io.duplog.bridge;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import io.duplog.config.ConfigLoader;
import io.duplog.parts.RabbitMq;
import io.duplog.receive.AcknowledgePolicy;
import io.duplog.receive.Delivery;
import io.duplog.receive.HeldBytes;
import io.duplog.receive.QueueConsumer;
import io.duplog.wire.Topology;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.api.Test;

/** A queue whose prefetch is many times what the bridge has room for, as a flood leaves it. */
class CrowdedQueueIT {
  private static final Duration WHILE = Duration.ofMinutes(2);
  private static final int MEBIBYTE = 1 << 20;
  private static final int BODIES = 100;
  private static final long ROOM = 8 * MEBIBYTE;

  @Test
  void bodiesPastTheRoom_areGivenBack_andAllComeInTheEnd() throws Exception {
    try (RabbitMq broker = RabbitMq.started()) {
      publish(broker);
      HeldBytes held = new HeldBytes(ROOM);
      Queue<Delivery> waiting = new ConcurrentLinkedQueue<>();
      Set<Integer> came = ConcurrentHashMap.newKeySet();
      BridgeConfig config =
          ConfigLoader.of(Map.of(), "host")
              .parse(
                  "test.yaml",
                  """
                  streams: [{name: a, host: %s, port: %d}, {name: b}]
                  sink: {type: stdout}
                  """
                      .formatted(broker.host(), broker.port()),
                  BridgeConfig.class);
      try (QueueConsumer consumer =
          new QueueConsumer(
              Settings.queues(config).get(0),
              new AcknowledgePolicy.Each(),
              held,
              delivery -> {
                came.add(ByteBuffer.wrap(delivery.body()).getInt());
                waiting.add(delivery);
              })) {
        consumer.start();
        await().atMost(WHILE).until(() -> held.isFull() && !consumer.isConsuming());
        // Whatever was on its way has come when the broker has all others again.
        await()
            .atMost(WHILE)
            .until(
                () ->
                    consumer.depth() != null
                        && consumer.depth().ready() == BODIES - waiting.size());

        assertThat(held.bytes()).isLessThanOrEqualTo(ROOM + ROOM / 2 + MEBIBYTE);
        await()
            .atMost(WHILE)
            .until(
                () -> {
                  for (Delivery next = waiting.poll(); next != null; next = waiting.poll()) {
                    next.settle();
                  }
                  return came.size() == BODIES && broker.depth(Topology.DEFAULT_QUEUE) == 0;
                });
      }
    }
  }

  private static void publish(RabbitMq broker) throws Exception {
    try (Connection connection = broker.connections().newConnection();
        Channel channel = connection.createChannel()) {
      channel.queueDeclare(
          Topology.DEFAULT_QUEUE,
          true,
          false,
          false,
          Topology.queueArguments(Topology.QueueType.CLASSIC));
      channel.confirmSelect();
      for (int i = 0; i < BODIES; i++) {
        channel.basicPublish(
            "", Topology.DEFAULT_QUEUE, null, ByteBuffer.allocate(MEBIBYTE).putInt(0, i).array());
      }
      channel.waitForConfirmsOrDie(WHILE.toMillis());
    }
  }
}
