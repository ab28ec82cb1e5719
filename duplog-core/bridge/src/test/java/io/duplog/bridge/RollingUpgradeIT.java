package io.duplog.bridge;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.duplog.bridge.settings.BridgeConfig;
import io.duplog.bridge.settings.LedgerFactory;
import io.duplog.deliver.Sinks;
import io.duplog.observe.Conditions;
import io.duplog.observe.Level;
import io.duplog.receive.QueueConsumer;
import io.duplog.wire.BatchDecoder;
import io.duplog.wire.Topology;
import java.util.Locale;
import java.util.Map;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Tests that an old bridge leaves batches that it can't read to a newer bridge, and loses no
 * message.
 */
class RollingUpgradeIT extends BridgeBetweenServers {
  private static final String QUEUE = "duplog-rolling";

  /** Starts a bridge that was released before there were events. */
  private Bridge startOld(BridgeConfig config) {
    Conditions board = Conditions.ofSystem();
    return start(
        new Bridge(
            config,
            LedgerFactory.ledgers(config, board),
            Sinks.of("stdout", sink),
            QueueConsumer.Environment.ofSystem(board),
            new BatchDecoder(config.limits().toBatchLimits(), 1)));
  }

  private static BridgeConfig config(String name, Topology.QueueType type, String policy)
      throws Exception {
    String queue =
        "queues: [%s], queue-type: %s,".formatted(QUEUE, type.name().toLowerCase(Locale.ROOT));
    return parsed(
        yaml(name, "settle: {" + policy + "}")
            .replace("{name: a,", "{name: a, " + queue)
            .replace("{name: b,", "{name: b, " + queue));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "CLASSIC | acknowledge: each",
        "CLASSIC | acknowledge: count, acknowledge-count: 3",
        "QUORUM  | acknowledge: each",
        "QUORUM  | acknowledge: count, acknowledge-count: 3"
      })
  void eventsThatAnOldBridgeMeets_waitForANewOne_andArriveOnce(
      Topology.QueueType type, String policy) throws Exception {
    try (TestPublisher a = new TestPublisher(brokerA, "a", QUEUE, type);
        TestPublisher b = new TestPublisher(brokerB, "b", QUEUE, type)) {
      upgrade(a, b, type, policy);
      // Before the queues are deleted, or they would be declared again.
      bridges.forEach(bridge -> bridge.stop(GRACE));
      bridges.clear();
      a.delete(QUEUE);
      b.delete(QUEUE);
    }
  }

  private void upgrade(TestPublisher a, TestPublisher b, Topology.QueueType type, String policy)
      throws Exception {
    Bridge old = startOld(config("old", type, policy));
    awaitReaders(a, 1);
    a.publishEvents("event 1", "event 2");
    b.publishEvents("event 2", "event 1");
    a.publish("line 1");
    b.publish("line 1");

    awaitPart(old, "stream a", Level.DEGRADED);
    awaitPart(old, "stream b", Level.DEGRADED);
    await().until(() -> sink.counts().equals(Map.of("line 1", 1)));

    start(config("new", type, policy));
    a.publish("line 2");
    b.publish("line 2");
    Map<String, Integer> all = Map.of("event 1", 1, "event 2", 1, "line 1", 1, "line 2", 1);
    // A quorum queue's depth is some seconds old.
    await().until(() -> sink.counts().keySet().equals(all.keySet()));
    await().until(() -> brokerA.depth(QUEUE) == 0 && brokerB.depth(QUEUE) == 0);

    assertThat(sink.counts()).isEqualTo(all);
    assertThat(sink.bypassed()).as("all were compared").isZero();
    String deadLetters = Topology.deadLetterQueue(QUEUE);
    assertThat(brokerA.depth(deadLetters)).isZero();
    assertThat(brokerB.depth(deadLetters)).isZero();
  }
}
