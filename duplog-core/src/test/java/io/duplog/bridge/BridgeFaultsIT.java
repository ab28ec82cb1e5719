package io.duplog.bridge;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.duplog.bridge.settings.BridgeConfig;
import io.duplog.bridge.settings.Settings;
import io.duplog.dedup.Claim;
import io.duplog.dedup.Digester;
import io.duplog.dedup.Identity;
import io.duplog.dedup.Judgement;
import io.duplog.dedup.Progress;
import io.duplog.dedup.redis.RedisLedger;
import io.duplog.parts.Redis;
import io.duplog.status.Health;
import io.duplog.wire.BatchDecoder;
import io.duplog.wire.BatchLimits;
import io.duplog.wire.EncodedBatch;
import io.duplog.wire.Topology;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What a bridge does when Redis, a broker, another bridge or its sink fails, and when it stops. */
class BridgeFaultsIT extends BridgeBetweenServers {
  @Test
  void bridge_diedBetweenVerdictAndSettle_itsBatchIsDeliveredByTheOther() throws Exception {
    judgeAndDie(false, "x");
    streamB.publish("x");
    start("living", "");

    awaitSettled();

    assertThat(sink.counts()).containsOnlyKeys("x");
    assertThat(sink.count()).isBetween(1, 2);
  }

  @Test
  void bridge_diedAfterDelivery_redeliveryHasTheSameVerdict() throws Exception {
    judgeAndDie(true, "x", "y");
    streamB.publish("x", "z");
    start("living", "");

    awaitSettled();

    assertThat(sink.counts()).isEqualTo(Map.of("z", 1));
  }

  /** Publishes a batch on stream a, which a bridge judges that acknowledges nothing. */
  private void judgeAndDie(boolean delivered, String... messages) throws Exception {
    BridgeConfig config = config("dying", "");
    String id = streamA.publish(messages);
    EncodedBatch encoded = TestPublisher.encode(messages);
    Claim claim =
        new Claim(
            id,
            0,
            new Digester(Identity.SENDER_AND_MESSAGE)
                .digest(
                    new BatchDecoder(BatchLimits.DEFAULT)
                        .decode(encoded.body(), encoded.encoding())));
    try (RedisLedger dying = Settings.redisLedgers(config, Settings.redisSettings(config)).get(0)) {
      dying.advance(new Progress(List.of(), List.of(), 0, false));
      Judgement.Counted counted = (Judgement.Counted) dying.judge(claim);
      if (delivered) {
        Progress.Done done = new Progress.Done(id, counted.epoch(), counted.number());
        dying.advance(new Progress(List.of(done), List.of(), 0, false));
      }
    }
  }

  /** One that knows that it is away is given nothing; one that only accepts nothing, more. */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void sinkThatAcceptsNothing_getsNoMoreAfterTheHoldLimit_andWhatIsHeldGoesBackToTheBrokers(
      boolean seemsAvailable) throws Exception {
    start("one", "settle: {hold-limit: 4s}");
    streamA.publish("before");
    await().until(() -> sink.count() == 1);
    if (seemsAvailable) {
      sink.struggle();
    } else {
      sink.goAway();
    }
    for (int i = 0; i < 20; i++) {
      publish("while away " + i);
    }
    if (seemsAvailable) {
      await().until(() -> sink.waiting() == 20);
    }

    // Ready again, and not merely unacknowledged: any other bridge could take them.
    await().until(() -> ready(streamA) == 20 && ready(streamB) == 20 && sink.waiting() == 0);
    awaitReaders(streamA, 0);
    awaitReaders(streamB, 0);

    sink.accept();
    awaitSettled();
    assertThat(sink.counts()).hasSize(21);
    // A sink that is away for longer than the hold limit is a cause of duplicates.
    assertThat(sink.counts().values()).allMatch(count -> count <= 2);
  }

  private static long ready(TestPublisher stream) throws Exception {
    return stream.channel().messageCount(Topology.DEFAULT_QUEUE);
  }

  @Test
  void sinkOfOneBridgeAway_theOtherDeliversAll() throws Exception {
    sink.goAway();
    start("away", "settle: {hold-limit: 2s}");
    for (int i = 0; i < 20; i++) {
      publish("message " + i);
    }
    CollectingSink working = new CollectingSink();
    start(config("working", "settle: {hold-limit: 2s}"), working);

    awaitSettled();

    assertThat(working.counts()).hasSize(20);
    assertThat(sink.count()).isZero();
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void redis_killedOrPaused_messagesPassThrough_andAreDeduplicatedWhenItIsBack(boolean killed)
      throws Exception {
    start("one", "");
    streamA.publish("before");
    streamB.publish("before");
    awaitSettled();
    if (killed) {
      redis.kill();
    } else {
      redis.pause();
    }
    try {
      streamA.publish(numbered(0, 50));
      streamB.publish(numbered(0, 50));
      awaitSettled();
    } finally {
      if (killed) {
        redis.start();
      } else {
        redis.unpause();
      }
    }

    assertThat(sink.counts()).hasSize(51);
    assertThat(sink.bypassed()).isPositive();
    int[] round = {0};
    await()
        .until(
            () -> {
              String fresh = "fresh " + round[0]++;
              streamA.publish(fresh);
              streamB.publish(fresh);
              awaitSettled();
              return sink.counts().get(fresh) == 1;
            });
  }

  @Test
  void broker_killedAndBack_nothingIsLost_andTheOtherStreamGoesOn() throws Exception {
    start("one", "");
    streamA.publish(numbered(0, 100));
    brokerA.kill();
    try {
      streamB.publish(numbered(0, 200));
      await().until(() -> sink.counts().size() == 200);
    } finally {
      brokerA.start();
    }
    awaitSettled();

    assertThat(sink.counts()).hasSize(200);
    assertThat(sink.counts().values()).allMatch(count -> count <= 2);
  }

  @Test
  void redis_killedUnderLoad_whileLocal_nothingIsLost_andBothCopiesMeetInTheBridge()
      throws Exception {
    Bridge bridge = startWith("one", "lease: 2s", "lease: 2s, when-unavailable: local");
    publishOneByOne("before", 100);
    redis.kill();
    try {
      publishOneByOne("under way", 100);
      awaitPart(bridge, "redis", Health.State.DEGRADED);
      awaitSettled();
      double before = judgedApart(bridge);
      publishOneByOne("while away", 200);
      awaitSettled();
      assertThat(judgedApart(bridge) - before).isEqualTo(400);
    } finally {
      redis.start();
    }
    awaitFirstLedger(bridge);
    publishOneByOne("after", 100);
    awaitSettled();

    Map<String, Integer> counts = sink.counts();
    counts.keySet().removeIf(message -> message.startsWith("fresh"));
    assertThat(counts).hasSize(500);
    counts.forEach(
        (message, count) ->
            assertThat(count)
                .as(message)
                .isLessThanOrEqualTo(message.matches("(while away|after).*") ? 1 : 2));
  }

  @Test
  void redis_killed_withASpare_bothBridgesDeduplicateThere() throws Exception {
    try (Redis spare = Redis.started()) {
      String with = "lease: 2s, spare: {" + spare.asBridge() + "}";
      List<Bridge> both =
          List.of(startWith("one", "lease: 2s", with), startWith("two", "lease: 2s", with));
      publishOneByOne("before", 20);
      awaitSettled();
      redis.kill();
      try {
        for (Bridge bridge : both) {
          awaitPart(bridge, "redis", Health.State.DEGRADED);
          awaitPart(bridge, "spare", Health.State.WELL);
        }
        publishOneByOne("while away", 200);
        awaitSettled();
      } finally {
        redis.start();
      }

      assertThat(sink.counts()).hasSize(220);
      assertThat(sink.count()).isEqualTo(220);
    }
  }

  private void publishOneByOne(String what, int messages) throws Exception {
    for (int i = 0; i < messages; i++) {
      publish(what + " " + i);
    }
  }

  private static double judgedApart(Bridge bridge) {
    return sum(bridge, "duplog_fallback_copies_total");
  }

  /** Until a fresh message is judged by Redis again. */
  private void awaitFirstLedger(Bridge bridge) {
    int[] round = {0};
    await()
        .until(
            () -> {
              double before = judgedApart(bridge);
              publishOneByOne("fresh " + round[0]++, 1);
              awaitSettled();
              return judgedApart(bridge) == before;
            });
  }

  @Test
  void stop_withADeafSink_leavesTheBatchInTheQueue() throws Exception {
    sink.refuse();
    Bridge bridge = start("one", "");
    streamA.publish("x");
    await().until(() -> sink.waiting() == 1);

    assertThat(bridge.stop(GRACE)).isFalse();
    bridges.clear();

    await().until(() -> brokerA.depth(Topology.DEFAULT_QUEUE) == 1);
  }

  @Test
  void heldBytes_beyondTheLimit_pauseTheStream_untilThereIsRoom() throws Exception {
    sink.refuse();
    start("one", "receive: {prefetch: 10000, prefetch-bytes: 1MiB}");
    String big = "x".repeat(50_000);
    for (int i = 0; i < 200; i++) {
      streamA.publish(i + big);
    }

    await().during(Duration.ofSeconds(1)).until(() -> sink.waiting() > 0);
    assertThat(sink.waiting()).isLessThan(200);
    sink.accept();

    awaitSettled();
    assertThat(sink.counts()).hasSize(200);
  }
}
