package io.duplog.bridge;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.duplog.parts.RabbitMq;
import io.duplog.status.Health;
import io.duplog.wire.Topology;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Where refused messages are while a broker, or its place for them, is not to be had. */
class DeadLettersIT extends BridgeBetweenServers {
  private static final String DEAD_LETTERS = Topology.deadLetterQueue(Topology.DEFAULT_QUEUE);
  private static final String WAITING = Topology.waitingLettersQueue(Topology.DEFAULT_QUEUE);

  /** So few that two refused messages are more than their part of it. */
  private static final int PREFETCH = 8;

  private static final String RECEIVE =
      "receive: {prefetch: %d, retry-min: 200ms, retry-max: 1s}".formatted(PREFETCH);

  @Test
  void secondBrokerKilled_refusedMessagesWaitForIt_thenStayOnOne_andAreCopiedWhenItIsBack()
      throws Exception {
    Bridge bridge = start("one", RECEIVE);
    awaitReaders(streamB, 1);
    long letters;
    brokerB.kill();
    try {
      refuseEach("bad", "worse");
      await().until(() -> brokerA.depth(DEAD_LETTERS) == 1);
      assertThat(brokerA.depth(Topology.DEFAULT_QUEUE)).isEqualTo(2);

      await().until(() -> brokerA.depth(Topology.DEFAULT_QUEUE) == 0);
      awaitPart(bridge, "dead letters", Health.State.DEGRADED);
      letters = brokerA.depth(DEAD_LETTERS);
      assertThat(letters).as("of both messages, in one letter or two").isBetween(1L, 2L);
    } finally {
      brokerB.start();
    }
    streamB.close();
    streamB = new TestPublisher(brokerB, "b");

    awaitReaders(streamB, 1);
    await().until(() -> brokerB.depth(DEAD_LETTERS) == letters);
    awaitPart(bridge, "dead letters", Health.State.WELL);
    assertThat(brokerA.depth(List.of(DEAD_LETTERS, WAITING))).isEqualTo(letters);
  }

  @Test
  void fullDeadLetterQueues_goodMessagesOfTheStreamFlow_andWhatIsRefusedWaitsAtBothBrokers()
      throws Exception {
    Bridge bridge = start("one", RECEIVE);
    awaitReaders(streamB, 1);
    List<RabbitMq> brokers = List.of(brokerA, brokerB);
    brokers.forEach(
        broker ->
            broker.policy(
                "full", "dead-letter$", "{\"max-length\":1,\"overflow\":\"reject-publish\"}"));
    try {
      for (int i = 0; i < PREFETCH; i++) {
        refuseEach("bad " + i);
      }
      streamA.publish("good");
      awaitSettled();
      assertThat(sink.counts()).isEqualTo(Map.of("good", 1));
      brokers.forEach(
          broker -> assertThat(broker.depth(List.of(DEAD_LETTERS, WAITING))).isEqualTo(PREFETCH));
      awaitPart(bridge, "dead letters", Health.State.DEGRADED);
    } finally {
      brokers.forEach(broker -> broker.ctl("clear_policy", "full"));
    }

    await().until(() -> brokerA.depth(DEAD_LETTERS) == PREFETCH);
    awaitPart(bridge, "dead letters", Health.State.WELL);
  }

  /** A batch of its own each, and all of them refused together. */
  private void refuseEach(String... messages) throws Exception {
    sink.refuse();
    for (String message : messages) {
      streamA.publish(message);
    }
    await().until(() -> sink.waiting() == messages.length);
    sink.refuseForGood("code 6: invalid data format");
    sink.accept();
  }
}
