package io.duplog.bridge;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.duplog.bridge.settings.BridgeConfig;
import io.duplog.bridge.settings.LedgerFactory;
import io.duplog.observe.Conditions;
import io.duplog.observe.Level;
import io.duplog.receive.QueueConsumer;
import io.duplog.wire.BatchDecoder;
import io.duplog.wire.Topology;
import java.util.Map;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests that an old bridge leaves what it can't read to a newer one, and loses none of it. */
class RollingUpgradeIT extends BridgeBetweenServers {

  /** Starts a bridge that was released before there were events. */
  private Bridge startOld(String name, String more) throws Exception {
    BridgeConfig config = config(name, more);
    Conditions board = Conditions.ofSystem();
    return start(
        new Bridge(
            config,
            LedgerFactory.ledgers(config, board),
            sink,
            QueueConsumer.Environment.ofSystem(board),
            new BatchDecoder(config.limits().toBatchLimits(), 1)));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "settle: {acknowledge: each}",
        "settle: {acknowledge: count, acknowledge-count: 3}"
      })
  void eventsThatAnOldBridgeMeets_waitForANewOne_andArriveOnce(String policy) throws Exception {
    Bridge old = startOld("old", policy);
    awaitReaders(streamA, 1);
    streamA.publishEvents("event 1", "event 2");
    streamB.publishEvents("event 2", "event 1");
    publish("line 1");

    awaitPart(old, "stream a", Level.DEGRADED);
    awaitPart(old, "stream b", Level.DEGRADED);
    await().until(() -> sink.counts().equals(Map.of("line 1", 1)));

    start("new", policy);
    publish("line 2");
    awaitSettled();

    assertThat(sink.counts())
        .isEqualTo(Map.of("event 1", 1, "event 2", 1, "line 1", 1, "line 2", 1));
    assertThat(sink.bypassed()).as("all were compared").isZero();
    String deadLetters = Topology.deadLetterQueue(Topology.DEFAULT_QUEUE);
    assertThat(brokerA.depth(deadLetters)).isZero();
    assertThat(brokerB.depth(deadLetters)).isZero();
  }
}
