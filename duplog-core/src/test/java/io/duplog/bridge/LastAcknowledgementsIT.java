package io.duplog.bridge;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.rabbitmq.client.Channel;
import io.duplog.bridge.settings.BridgeFactory;
import io.duplog.receive.AcknowledgePolicy;
import io.duplog.receive.Delivery;
import io.duplog.receive.HeldBytes;
import io.duplog.receive.QueueConsumer;
import io.duplog.receive.QueueSettings;
import io.duplog.wire.Topology;
import java.time.Duration;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The end of a consumer whose broker is too busy to read its acknowledgements. */
class LastAcknowledgementsIT extends BridgeBetweenServers {
  private static final String QUEUE = "duplog-last";
  private static final Duration PATIENCE = Duration.ofMinutes(2);
  private static final int BODIES = 10;

  private final Queue<Delivery> waiting = new ConcurrentLinkedQueue<>();

  @AfterEach
  void deleteQueue() throws Exception {
    brokerA.unpause();
    streamA.channel().queueDelete(QUEUE);
    streamA.channel().queueDelete(Topology.deadLetterQueue(QUEUE));
  }

  @Test
  void consumer_doesNotEnd_beforeItsBrokerHasReadTheLastAcknowledgements() throws Exception {
    QueueSettings settings = settings();
    publish();
    QueueConsumer consumer =
        new QueueConsumer(
            settings,
            AcknowledgePolicy.every(Duration.ofHours(1)), // so the end alone acknowledges
            new HeldBytes(1 << 20),
            waiting::add,
            QueueConsumer.Environment.ofSystem());
    consumer.start();
    await().atMost(PATIENCE).until(() -> waiting.size() == BODIES);
    waiting.forEach(Delivery::settle);

    brokerA.pause();
    CompletableFuture<Void> end = CompletableFuture.runAsync(consumer::close);
    await().during(Duration.ofSeconds(8)).atMost(PATIENCE).until(() -> !end.isDone());
    brokerA.unpause();

    end.join();
    assertThat(unacknowledged()).as("messages that would be delivered again").isZero();
  }

  /** Settings with 100 s for each of the broker's answers, because a machine may be busy, too. */
  private static QueueSettings settings() throws Exception {
    String yaml =
        yaml("one", "")
            .replace("{name: a,", "{name: a, queues: [%s],".formatted(QUEUE))
            .replace("receive: {", "receive: {connect-timeout: 20s, heartbeat: 60s, ");
    return BridgeFactory.queues(parsed(yaml)).get(0);
  }

  private void publish() throws Exception {
    Channel channel = streamA.channel();
    channel.queueDeclare(
        QUEUE, true, false, false, Topology.queueArguments(Topology.QueueType.CLASSIC));
    for (int i = 0; i < BODIES; i++) {
      channel.basicPublish("", QUEUE, null, new byte[] {(byte) i});
    }
    channel.waitForConfirmsOrDie(PATIENCE.toMillis());
  }

  /** Returns the number of messages in the queue, delivered or not. */
  private static long unacknowledged() {
    return brokerA
        .ctl("list_queues", "--no-table-headers", "name", "messages")
        .lines()
        .map(line -> line.split("\t"))
        .filter(words -> words[0].equals(QUEUE))
        .mapToLong(words -> Long.parseLong(words[1]))
        .sum();
  }
}
