package io.duplog.parts;

import static org.assertj.core.api.Assertions.assertThat;

import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import com.rabbitmq.client.GetResponse;
import com.rabbitmq.client.MessageProperties;
import io.duplog.wire.Topology;
import io.duplog.wire.Topology.QueueType;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Which of the deployed policies RabbitMQ applies to which queue, and what that keeps. */
class DeployedPoliciesIT {
  /** RabbitMQ 4's default; 3.10, which runs here, has none. */
  private static final int LIMIT_OF_4 = 20;

  static RabbitMq broker;

  @BeforeAll
  static void start() {
    broker = RabbitMq.started();
    // Above the policy of all queues, and below that of quorum queues.
    broker.ctl(
        "set_policy",
        "--priority",
        "1",
        "--apply-to",
        "queues",
        "as-in-4",
        ".*",
        "{\"delivery-limit\":%d}".formatted(LIMIT_OF_4));
  }

  @AfterAll
  static void stop() {
    broker.close();
  }

  @Test
  void eachQueue_hasThePolicyOfItsType() throws Exception {
    try (Connection connection = broker.connections().newConnection();
        Channel channel = connection.createChannel()) {
      declare(channel, "duplog", QueueType.CLASSIC);
      declare(channel, "duplog.1", QueueType.QUORUM);
      channel.queueDeclare(
          Topology.deadLetterQueue("duplog"), true, false, false, Topology.deadLetterArguments());
    }

    assertThat(broker.ctl("list_queues", "--no-table-headers", "name", "policy").lines())
        .contains(
            "duplog\tduplog", "duplog.1\tduplog-quorum", "duplog.dead-letter\tduplog-dead-letter");
  }

  @Test
  void quorumQueue_givenBackMoreOftenThanADefaultAllows_keepsTheMessage() throws Exception {
    assertThat(survivesGivingBack("other")).as("under a limit as in 4").isFalse();
    assertThat(survivesGivingBack("duplog.2")).as("under the deployed policies").isTrue();
  }

  /** Whether a message is there after it was given back three times more than the limit of 4. */
  private static boolean survivesGivingBack(String queue) throws Exception {
    try (Connection connection = broker.connections().newConnection();
        Channel channel = connection.createChannel()) {
      channel.confirmSelect();
      declare(channel, queue, QueueType.QUORUM);
      channel.basicPublish("", queue, MessageProperties.MINIMAL_PERSISTENT_BASIC, new byte[] {1});
      channel.waitForConfirmsOrDie(30_000);
      for (int i = 0; i < LIMIT_OF_4 + 3; i++) {
        GetResponse got = channel.basicGet(queue, false);
        if (got == null) {
          return false;
        }
        channel.basicNack(got.getEnvelope().getDeliveryTag(), false, true);
      }
      return channel.basicGet(queue, true) != null;
    }
  }

  private static void declare(Channel channel, String queue, QueueType type) throws Exception {
    channel.queueDeclare(queue, true, false, false, Topology.queueArguments(type));
  }
}
