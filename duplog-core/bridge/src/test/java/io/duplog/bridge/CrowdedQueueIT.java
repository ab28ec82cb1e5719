package io.duplog.bridge;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.duplog.bridge.settings.BridgeConfig;
import io.duplog.observe.Conditions;
import io.duplog.receive.Delivery;
import io.duplog.receive.HeldBytes;
import io.duplog.receive.QueueConsumer;
import io.duplog.receive.QueueSettings;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Tests that a bridge delivers everything from a queue whose unacknowledged messages would exceed
 * the bridge's memory.
 */
class CrowdedQueueIT extends BridgeBetweenServers {
  private static final String QUEUE = "duplog-crowded";
  private static final int MEBIBYTE = 1 << 20;
  private static final int BODIES = 100;
  private static final long ROOM = 8 * MEBIBYTE;

  /**
   * Average number of times that the broker may send a body. A body comes with the first crowd,
   * again when there is room, and once more if the prefetch was widened too soon.
   */
  private static final int TIMES = 3;

  private final HeldBytes held = new HeldBytes(ROOM);
  private final Queue<Delivery> waiting = new ConcurrentLinkedQueue<>();
  private final Set<Integer> came = ConcurrentHashMap.newKeySet();

  @AfterEach
  void deleteQueue() throws Exception {
    streamA.delete(QUEUE);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "classic | acknowledge: each",
        "classic | acknowledge: count, acknowledge-count: 3",
        "quorum  | acknowledge: each",
        "quorum  | acknowledge: count, acknowledge-count: 3"
      })
  void bodiesPastTheRoom_areGivenBack_andAllComeInTheEnd(String type, String policy)
      throws Exception {
    BridgeConfig config =
        parsed(
            yaml("one", "settle: {" + policy + "}")
                .replace(
                    "{name: a,", "{name: a, queues: [%s], queue-type: %s,".formatted(QUEUE, type))
                // 100 s for an answer: a busy machine's broker was silent for ten, and a lost
                // channel
                // spoils the counts.
                .replace("receive: {", "receive: {connect-timeout: 20s, "));
    QueueSettings settings = config.queues().get(0);
    streamA.fill(QUEUE, settings.queueType(), BODIES, MEBIBYTE);
    try (QueueConsumer consumer =
        new QueueConsumer(
            settings,
            config.settle().acknowledgePolicy(config.queues()),
            held,
            delivery -> {
              came.add(ByteBuffer.wrap(delivery.body()).getInt());
              waiting.add(delivery);
            },
            QueueConsumer.Environment.ofSystem(Conditions.ofSystem()))) {
      consumer.start();
      await().until(() -> held.isFull() && !consumer.isConsuming());
      // All deliveries have arrived when the broker has all other bodies again.
      await()
          .until(
              () ->
                  consumer.depth() != null && consumer.depth().ready() == BODIES - waiting.size());
      assertThat(held.bytes()).isLessThanOrEqualTo(ROOM + ROOM / 2 + MEBIBYTE);
      await("none twice, as after a lost channel").until(() -> waiting.size() == came.size());
      List<String> channels = channels();

      await()
          .until(
              () -> {
                for (Delivery next = waiting.poll(); next != null; next = waiting.poll()) {
                  next.settle();
                }
                return came.size() == BODIES && brokerA.depth(QUEUE) == 0;
              });

      assertThat(channels()).as("never closed").isEqualTo(channels).isNotEmpty();
      assertThat(octetsSent()).isLessThan((long) TIMES * BODIES * MEBIBYTE);
    }
  }

  /** Returns all channels that the broker knows; a new channel has a new name. */
  private static List<String> channels() {
    return brokerA.ctl("list_channels", "--no-table-headers", "pid").lines().sorted().toList();
  }

  /** Returns how many bytes the broker has sent over the open connections. */
  private static long octetsSent() {
    return brokerA
        .ctl("list_connections", "--no-table-headers", "send_oct")
        .lines()
        .mapToLong(Long::parseLong)
        .sum();
  }
}
