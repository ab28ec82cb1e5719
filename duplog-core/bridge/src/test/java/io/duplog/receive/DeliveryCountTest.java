package io.duplog.receive;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.common.reflect.Reflection;
import com.rabbitmq.client.AMQP;
import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Consumer;
import com.rabbitmq.client.Envelope;
import io.duplog.observe.Boards;
import io.duplog.observe.LogLines;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Tests that a bridge warns of a batch that a quorum queue has delivered many times. */
class DeliveryCountTest {
  private final List<Delivery> received = new ArrayList<>();
  private Consumer subscriber;

  private final QueueConsumer consumer =
      new QueueConsumer(
          TestQueues.of("a", "nowhere", 10),
          AcknowledgePolicy.EACH,
          new HeldBytes(1 << 20),
          received::add,
          new QueueConsumer.Environment(
              TestQueues.connector(this::channel), Boards.at(() -> 0), new Random(1)));

  private Channel channel() {
    return Reflection.newProxy(
        Channel.class,
        (self, method, arguments) ->
            switch (method.getName()) {
              case "basicConsume" -> {
                subscriber = (Consumer) arguments[arguments.length - 1];
                yield "tag";
              }
              case "queueDeclarePassive" ->
                  new com.rabbitmq.client.impl.AMQImpl.Queue.DeclareOk("duplog", 0, 1);
              default -> null;
            });
  }

  private void delivered(long tag, Map<String, Object> headers) throws IOException {
    subscriber.handleDelivery(
        "tag",
        new Envelope(tag, true, "", "duplog"),
        new AMQP.BasicProperties.Builder().headers(headers).build(),
        new byte[1]);
  }

  @Test
  void halfOfRabbitMq4sLimit_isSaidOnce_andTheBatchIsTaken() throws Exception {
    List<String> lines =
        LogLines.of(
            ConsumerChannel.class,
            () -> {
              consumer.runOnce();
              delivered(1, Map.of());
              delivered(2, Map.of("x-delivery-count", 9L));
              delivered(3, Map.of("x-delivery-count", 10L));
              delivered(4, Map.of("x-delivery-count", 11L));
            });

    assertThat(lines)
        .singleElement()
        .asString()
        .startsWith("WARN broker a nowhere:5672 queue duplog has redelivered a batch 10")
        .contains("delivery-limit");
    assertThat(received).hasSize(4);
  }
}
