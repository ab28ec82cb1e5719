package io.duplog.bridge;

import static org.assertj.core.api.Assertions.assertThat;

import io.duplog.parts.Redis;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/**
 * Tests that bridges under load lose no message while sentinels fail over from one Redis to the
 * other.
 */
class SentinelIT extends BridgeBetweenServers {
  private static final int MESSAGES = 20;

  private static @AutoClose SentineledRedis sentineled;

  @BeforeAll
  static void startSentinels() {
    sentineled = SentineledRedis.started();
  }

  private void startSentineled(String name) throws Exception {
    startWith(
        name,
        "redis: {timeout: 8s, host: %s, port: %d, ".formatted(redis.host(), redis.port()),
        "redis: {timeout: 8s, sentinel: {addresses: %s, user: %s, password: %s}, "
            .formatted(sentineled.sentinels(), Redis.USER, Redis.PASSWORD));
  }

  @Test
  void failover_underLoad_losesNothing_andDuplicatesUntilItIsOver() throws Exception {
    startSentineled("one");
    startSentineled("two");
    try (SteadyLoad load = new SteadyLoad(brokerA, brokerB, 1, MESSAGES, sink)) {
      load.assertNothingComesTwice(sentineled::failovers);

      // Both servers are healthy. The old master becomes a replica a while after the new one
      // serves, and a bridge may go on asking it in the meantime.
      int first = sentineled.masterPort();
      sentineled.failOver();
      load.publishUntil(() -> sentineled.masterPort() != first && sentineled.isReady());
      load.assertNothingComesTwice(sentineled::failovers);

      // The master dies: back to the first server, which has lived on and was overwritten
      // meanwhile.
      int second = sentineled.masterPort();
      sentineled.killMaster();
      load.publishUntil(() -> sentineled.masterPort() != second);
      load.assertNothingComesTwice(sentineled::failovers);

      assertThat(sentineled.masterPort()).isEqualTo(first);
      assertThat(sink.bypassed()).isPositive();
      load.assertNothingIsLost();
    }
  }
}
