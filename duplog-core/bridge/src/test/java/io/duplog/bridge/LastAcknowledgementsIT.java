package io.duplog.bridge;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.duplog.receive.AcknowledgePolicy;
import io.duplog.receive.Delivery;
import io.duplog.receive.HeldBytes;
import io.duplog.receive.QueueConsumer;
import io.duplog.receive.QueueSettings;
import java.time.Duration;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/**
 * Tests that a stopping consumer waits until its slow broker has read the last acknowledgements, so
 * that nothing is delivered twice.
 */
class LastAcknowledgementsIT extends BridgeBetweenServers {
  private static final String QUEUE = "duplog-last";
  private static final int BODIES = 10;

  private final Queue<Delivery> waiting = new ConcurrentLinkedQueue<>();

  @AfterEach
  void deleteQueue() throws Exception {
    brokerA.unpause();
    streamA.delete(QUEUE);
  }

  @Test
  void consumer_doesNotEnd_beforeItsBrokerHasReadTheLastAcknowledgements() throws Exception {
    QueueSettings settings = settings();
    streamA.fill(QUEUE, settings.queueType(), BODIES, Integer.BYTES);
    QueueConsumer consumer =
        new QueueConsumer(
            settings,
            AcknowledgePolicy.every(Duration.ofHours(1)), // so the end alone acknowledges
            new HeldBytes(1 << 20),
            waiting::add,
            QueueConsumer.Environment.ofSystem());
    consumer.start();
    await().until(() -> waiting.size() == BODIES);
    waiting.forEach(Delivery::settle);

    brokerA.pause();
    CompletableFuture<Void> end = CompletableFuture.runAsync(consumer::close);
    await().during(Duration.ofSeconds(8)).until(() -> !end.isDone());
    brokerA.unpause();

    end.join();
    assertThat(brokerA.depth(QUEUE)).as("messages that would be delivered again").isZero();
  }

  /** Settings with 100 s for each of the broker's answers, because a machine may be busy, too. */
  private static QueueSettings settings() throws Exception {
    String yaml =
        yaml("one", "")
            .replace("{name: a,", "{name: a, queues: [%s],".formatted(QUEUE))
            .replace("receive: {", "receive: {connect-timeout: 20s, heartbeat: 60s, ");
    return parsed(yaml).queues().get(0);
  }
}
