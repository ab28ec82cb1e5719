package io.duplog.receive;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.common.collect.ImmutableMap;
import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import com.rabbitmq.client.ConnectionFactory;
import com.rabbitmq.client.DefaultConsumer;
import com.rabbitmq.client.GetResponse;
import com.rabbitmq.client.MessageProperties;
import com.rabbitmq.client.ShutdownSignalException;
import io.duplog.bridge.BridgeBetweenServers;
import io.duplog.parts.RabbitMq;
import io.duplog.wire.Topology;
import io.duplog.wire.Topology.QueueType;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Tests that a real RabbitMQ applies the policies and permissions in deploy/rabbitmq as intended.
 */
class DeployedPoliciesIT extends BridgeBetweenServers {
  /** Default of RabbitMQ 4; version 3.10, which runs here, has no limit. */
  private static final int LIMIT_OF_4 = 20;

  private static final Map<String, Object> ARGUMENTS = Topology.queueArguments(QueueType.CLASSIC);

  /** Tries something that a client may do with a queue, on a channel of its own. */
  private interface Attempt {
    void on(Channel channel, String queue) throws Exception;
  }

  /** The last one removes the queue. */
  private static final Map<String, Attempt> ATTEMPTS =
      ImmutableMap.of(
          "declare", (channel, queue) -> channel.queueDeclare(queue, true, false, false, ARGUMENTS),
          "publish", (channel, queue) -> publish(channel, "", queue),
          "get", (channel, queue) -> channel.basicGet(queue, false),
          "consume", (channel, queue) -> channel.basicConsume(queue, new DefaultConsumer(channel)),
          "purge", Channel::queuePurge,
          "bind", (channel, queue) -> channel.queueBind(queue, "amq.fanout", ""),
          "delete", Channel::queueDelete);

  @Test
  void eachQueue_hasThePolicyOfItsType() throws Exception {
    Channel channel = streamA.channel(); // has declared its classic queue
    channel.queueDeclare("duplog.1", true, false, false, Topology.queueArguments(QueueType.QUORUM));
    channel.queueDeclare(
        Topology.deadLetterQueue("duplog"), true, false, false, Topology.deadLetterArguments());

    assertThat(brokerA.ctl("list_queues", "--no-table-headers", "name", "policy").lines())
        .contains(
            "duplog\tduplog", "duplog.1\tduplog-quorum", "duplog.dead-letter\tduplog-dead-letter");
    channel.queueDelete("duplog.1");
  }

  @Test
  void quorumQueue_givenBackMoreOftenThanADefaultAllows_keepsTheMessage() throws Exception {
    // Above the policy of all queues, and below that of quorum queues.
    String policy = "--priority 1 --apply-to queues as-in-4 .* {\"delivery-limit\":%d}";
    brokerA.ctl(("set_policy " + policy.formatted(LIMIT_OF_4)).split(" ", -1));
    try {
      assertThat(survivesGivingBack("other")).as("under a limit as in 4").isFalse();
      assertThat(survivesGivingBack("duplog.2")).as("under the deployed policies").isTrue();
    } finally {
      brokerA.ctl("clear_policy", "as-in-4");
    }
  }

  @ParameterizedTest
  @CsvSource({
    "duplog-ingest, duplog,             declare publish delete",
    "duplog-ingest, duplog.63,          declare publish delete",
    "duplog-ingest, duplog.dead-letter, publish",
    "duplog-ingest, duplog.refused,     publish",
    "duplog-ingest, duplog-c,           publish",
    "duplog-ingest, other,              publish",
    "duplog-bridge, duplog,             declare publish get consume purge delete",
    "duplog-bridge, duplog.63,          declare publish get consume purge delete",
    "duplog-bridge, duplog.dead-letter, declare publish get consume purge delete",
    "duplog-bridge, duplog.refused,     declare publish get consume purge delete",
    "duplog-bridge, duplog-c,           declare publish get consume purge delete",
    "duplog-bridge, duplogs,            publish",
    "duplog-bridge, other,              publish",
  })
  void user_mayDoThisWithAQueue_andNothingElse(String user, String queue, String may)
      throws Exception {
    streamA.channel().queueDeclare(queue, true, false, false, ARGUMENTS);
    try (Connection connection = login(user, "/")) {
      List<String> done = new ArrayList<>();
      for (Map.Entry<String, Attempt> each : ATTEMPTS.entrySet()) {
        if (isAllowed(connection, queue, each.getValue())) {
          done.add(each.getKey());
        }
      }
      assertThat(String.join(" ", done)).isEqualTo(may);
    } finally {
      streamA.channel().queueDelete(queue);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {RabbitMq.INGEST_USER, RabbitMq.BRIDGE_USER})
  void user_reachesNoExchangeButTheDefault_andNoOtherVirtualHost(String user) throws Exception {
    try (Connection connection = login(user, "/")) {
      for (String exchange : List.of("amq.direct", "amq.fanout", "amq.topic", "amq.headers")) {
        assertThat(
                isAllowed(
                    connection, "duplog", (channel, queue) -> publish(channel, exchange, queue)))
            .as(exchange)
            .isFalse();
      }
      Attempt declaration = (channel, name) -> channel.exchangeDeclare(name, "fanout");
      assertThat(isAllowed(connection, "other", declaration)).isFalse();
    }
    brokerA.ctl("add_vhost", "other");
    try {
      assertThatThrownBy(() -> login(user, "other"))
          .hasStackTraceContaining("access to vhost 'other' refused for user '" + user + "'");
    } finally {
      brokerA.ctl("delete_vhost", "other");
    }
  }

  private static Connection login(String user, String virtualHost) throws Exception {
    ConnectionFactory factory = brokerA.connections();
    factory.setUsername(user);
    factory.setPassword(
        user.equals(RabbitMq.BRIDGE_USER) ? RabbitMq.BRIDGE_PASSWORD : RabbitMq.INGEST_PASSWORD);
    factory.setVirtualHost(virtualHost);
    return factory.newConnection();
  }

  private static void publish(Channel channel, String exchange, String queue) throws Exception {
    channel.confirmSelect();
    channel.basicPublish(exchange, queue, MessageProperties.MINIMAL_BASIC, new byte[] {1});
    channel.waitForConfirmsOrDie(30_000);
  }

  /** Whether RabbitMQ does it, and does not refuse access. */
  private static boolean isAllowed(Connection connection, String queue, Attempt attempt)
      throws Exception {
    Channel channel = connection.createChannel();
    try {
      attempt.on(channel, queue);
      channel.close();
      return true;
    } catch (IOException | ShutdownSignalException e) {
      ShutdownSignalException signal = channel.getCloseReason();
      assertThat(signal).as("%s", e).hasMessageContaining("ACCESS_REFUSED");
      return false;
    }
  }

  /** Whether a message is there after it was given back three times more than the limit of 4. */
  private boolean survivesGivingBack(String queue) throws Exception {
    Channel channel = streamA.channel();
    channel.queueDeclare(queue, true, false, false, Topology.queueArguments(QueueType.QUORUM));
    channel.basicPublish("", queue, MessageProperties.MINIMAL_PERSISTENT_BASIC, new byte[] {1});
    channel.waitForConfirmsOrDie(30_000);
    GetResponse got = channel.basicGet(queue, false);
    for (int i = 0; i < LIMIT_OF_4 + 3 && got != null; i++) {
      channel.basicNack(got.getEnvelope().getDeliveryTag(), false, true);
      got = channel.basicGet(queue, false);
    }
    channel.queueDelete(queue);
    return got != null;
  }
}
