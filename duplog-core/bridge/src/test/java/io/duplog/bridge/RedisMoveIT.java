package io.duplog.bridge;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.duplog.observe.Level;
import io.duplog.parts.Redis;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Tests the procedure of docs/redis-move.md on real servers. */
class RedisMoveIT extends BridgeBetweenServers {
  private static final int MESSAGES = 200;

  private Redis newRedis;

  @BeforeEach
  void startNewRedis() {
    newRedis = Redis.started();
  }

  @AfterEach
  void stopNewRedis() throws Exception {
    newRedis.close();
  }

  private void startTwo(Redis at) throws Exception {
    for (String name : new String[] {"one", "two"}) {
      awaitPart(startWith(name, redis.asBridge(), at.asBridge()), "redis", Level.OK);
    }
    awaitReaders(streamA, 2);
    awaitReaders(streamB, 2);
  }

  private void stopAll() {
    bridges.forEach(bridge -> bridge.stop(GRACE));
    bridges.clear();
  }

  @Test
  void allBridgesStopped_thenAnotherRedis_noMessageIsLost_andOnlyLagArrivesTwice()
      throws Exception {
    startTwo(redis);
    publish(numbered(0, MESSAGES));
    streamA.publish("b lags");
    await().until(() -> sink.counts().size() == MESSAGES + 1);
    awaitSettled();

    stopAll();
    publish(numbered(MESSAGES, 2 * MESSAGES)); // waits in the brokers
    streamB.publish("b lags");
    startTwo(newRedis);
    publish(numbered(2 * MESSAGES, 3 * MESSAGES));
    await().until(() -> sink.counts().size() == 3 * MESSAGES + 1);
    awaitSettled();

    Map<String, Integer> counts = new HashMap<>(sink.counts());
    assertThat(counts.remove("b lags")).isEqualTo(2);
    assertThat(counts).containsOnlyKeys(numbered(0, 3 * MESSAGES)).values().containsOnly(1);
    assertThat(sink.bypassed()).isZero();
  }

  /** Why the procedure stops all bridges: both copies of a message must meet in one ledger. */
  @Test
  void bridgesWithDifferentRedis_deliverTwice() throws Exception {
    start("one", "");
    startWith("two", redis.asBridge(), newRedis.asBridge());
    awaitReaders(streamA, 2);
    awaitReaders(streamB, 2);
    for (int i = 0; i < MESSAGES; i++) {
      publish("message " + i);
      if (i == MESSAGES / 2) {
        streamA.publish("shifts the turns of the bridges at stream a");
      }
    }
    await().until(() -> sink.counts().size() == MESSAGES + 1);
    awaitSettled();

    assertThat(sink.counts().values()).contains(2);
  }
}
