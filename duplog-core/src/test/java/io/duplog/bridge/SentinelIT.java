package io.duplog.bridge;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.duplog.parts.Redis;
import io.duplog.parts.SentineledRedis;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Two bridges under load while sentinels have one Redis take the other's place. */
class SentinelIT extends BridgeBetweenServers {
  private static final int MESSAGES = 20;

  /** Batches of a phase in which nothing may come twice. */
  private static final int PHASE = 30;

  private static final Duration PATIENCE = Duration.ofMinutes(1);

  private static SentineledRedis sentineled;

  private int published;

  @BeforeAll
  static void startSentinels() {
    sentineled = SentineledRedis.started();
  }

  @AfterAll
  static void stopSentinels() {
    sentineled.close();
  }

  private void startSentineled(String name) throws Exception {
    startWith(
        name,
        "redis: {host: %s, port: %d, ".formatted(redis.host(), redis.port()),
        "redis: {sentinel: {addresses: %s, user: %s, password: %s}, "
            .formatted(sentineled.sentinels(), Redis.USER, Redis.PASSWORD));
  }

  @Test
  void failover_underLoad_losesNothing_andDuplicatesUntilItIsOver() throws Exception {
    startSentineled("one");
    startSentineled("two");
    publishUntilNothingComesTwice();

    // Both servers are well; the old master is made a replica a while after the new one serves.
    int first = sentineled.masterPort();
    sentineled.failOver();
    publishUntilAnotherIsMaster(first);
    publishUntilNothingComesTwice();

    // The master dies: back to the first server, which has lived on and was overwritten meanwhile.
    sentineled.awaitReady();
    int second = sentineled.masterPort();
    sentineled.killMaster();
    publishUntilAnotherIsMaster(second);
    publishUntilNothingComesTwice();

    assertThat(sentineled.masterPort()).isEqualTo(first);
    assertThat(sink.bypassed()).isPositive();
    Map<String, Integer> counts = sink.counts();
    for (int batch = 0; batch < published; batch++) {
      for (String message : messages(batch)) {
        assertThat(counts.getOrDefault(message, 0))
            .as(message)
            .isBetween(logged(message), 2 * logged(message));
      }
    }
  }

  /** Batches, each in both streams. */
  private void publish(int batches) throws Exception {
    for (int i = 0; i < batches; i++) {
      String[] messages = messages(published++);
      streamA.publish(messages);
      streamB.publish(messages);
    }
  }

  private void publishUntilAnotherIsMaster(int port) {
    await()
        .atMost(PATIENCE)
        .pollInterval(Duration.ofMillis(10))
        .until(
            () -> {
              publish(2);
              return sentineled.masterPort() != port;
            });
  }

  private void publishUntilNothingComesTwice() {
    await()
        .atMost(PATIENCE)
        .pollInterval(Duration.ofMillis(10))
        .until(
            () -> {
              int from = published;
              publish(PHASE);
              awaitSettled();
              return duplicates(from, published) == 0;
            });
  }

  /** What a sender logs once each; and one message that it logs twice, with the batch before. */
  private static String[] messages(int batch) {
    String[] messages = new String[MESSAGES];
    for (int i = 1; i < MESSAGES; i++) {
      messages[i] = "message %d of %d".formatted(i, batch);
    }
    messages[0] = "twice " + batch / 2;
    return messages;
  }

  private static int logged(String message) {
    return message.startsWith("twice") ? 2 : 1;
  }

  private int duplicates(int fromBatch, int toBatch) {
    Map<String, Integer> counts = sink.counts();
    int duplicates = 0;
    for (int batch = fromBatch; batch < toBatch; batch++) {
      for (String message : messages(batch)) {
        duplicates += Math.max(0, counts.getOrDefault(message, 0) - logged(message));
      }
    }
    return duplicates;
  }
}
