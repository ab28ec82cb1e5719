package io.duplog.receive;

import static org.assertj.core.api.Assertions.assertThat;

import com.rabbitmq.client.Channel;
import com.rabbitmq.client.GetResponse;
import com.rabbitmq.client.MessageProperties;
import io.duplog.bridge.BridgeBetweenServers;
import io.duplog.wire.Topology;
import io.duplog.wire.Topology.QueueType;
import org.junit.jupiter.api.Test;

/** Which of the deployed policies RabbitMQ applies to which queue, and what that keeps. */
class DeployedPoliciesIT extends BridgeBetweenServers {
  /** RabbitMQ 4's default; 3.10, which runs here, has none. */
  private static final int LIMIT_OF_4 = 20;

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
