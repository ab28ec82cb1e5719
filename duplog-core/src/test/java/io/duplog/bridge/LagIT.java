package io.duplog.bridge;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.rabbitmq.client.AMQP;
import io.duplog.wire.Heartbeat;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** Heartbeats between real servers. */
class LagIT extends BridgeBetweenServers {
  private static final AMQP.BasicProperties HEARTBEAT =
      new AMQP.BasicProperties.Builder().contentType(Heartbeat.CONTENT_TYPE).build();

  @Test
  void heartbeats_tellSilentWaitingAndDead_atEachOfTwoBridges() throws Exception {
    Bridge one = start("one", "lag: {heartbeat: 1s}");
    Bridge two = start("two", "lag: {heartbeat: 1s}");

    await()
        .atMost(Duration.ofMinutes(2))
        .until(
            () -> {
              // Each reaches one of the two bridges.
              streamA.publish(HEARTBEAT, heartbeat("a", 1000, false).encode());
              return isState(one, "a", "silent")
                  && isState(two, "a", "silent")
                  && isState(one, "b", "waiting")
                  && isState(two, "b", "waiting");
            });

    streamA.publish("for both");
    await()
        .atMost(Duration.ofMinutes(1))
        .until(() -> isState(one, "b", "dead") && isState(two, "b", "dead"));
    streamB.publish("at last");
    await()
        .atMost(Duration.ofMinutes(1))
        .until(() -> isState(one, "b", "flowing") && isState(two, "b", "flowing"));
    // A shim that says that it ends is not missed; one that just ends is.
    streamB.publish(HEARTBEAT, heartbeat("b", 1000, true).encode());
    await()
        .atMost(Duration.ofMinutes(1))
        .until(
            () ->
                isState(one, "b", "waiting")
                    && isState(two, "b", "waiting")
                    && isState(one, "a", "dead")
                    && isState(two, "a", "dead"));
    awaitSettled();
    assertThat(sink.counts()).containsOnlyKeys("for both", "at last");
  }

  @Test
  void heartbeatOfAStranger_isSettledAndIgnored() throws Exception {
    Bridge one = start("one", "");
    streamA.publish(HEARTBEAT, "duplog-heartbeat 1\nstream=a".getBytes(StandardCharsets.UTF_8));
    streamA.publish(HEARTBEAT, new byte[100_000]);
    streamA.publish("good");

    awaitSettled();

    assertThat(sink.counts()).containsOnlyKeys("good");
    assertThat(scrape(one)).contains("duplog_heartbeats_strange_total{stream=\"a\"} 2.0");
  }

  @Test
  void observe_deliversEveryCopy_andCountsThoseThatItWouldHaveDropped() throws Exception {
    Bridge one = startWith("one", "dedup: {", "dedup: {mode: observe, ");
    Bridge two = startWith("two", "dedup: {", "dedup: {mode: observe, ");
    for (int i = 0; i < 30; i++) {
      streamA.publish(numbered(i * 10, i * 10 + 10));
      streamB.publish(numbered(i * 10, i * 10 + 10));
    }

    awaitSettled();

    assertThat(sink.counts()).hasSize(300).values().containsOnly(2);
    assertThat(observed(one) + observed(two)).isEqualTo(300);
  }

  private static double observed(Bridge bridge) {
    return scrape(bridge)
        .lines()
        .filter(line -> line.contains("passage=\"observed\""))
        .mapToDouble(line -> Double.parseDouble(line.substring(line.lastIndexOf(' '))))
        .sum();
  }

  private static boolean isState(Bridge bridge, String stream, String state) {
    return scrape(bridge)
        .contains("duplog_stream_state{state=\"" + state + "\",stream=\"" + stream + "\"} 1.0");
  }

  private static String scrape(Bridge bridge) {
    return bridge.status().metrics().scrape();
  }

  private static Heartbeat heartbeat(String stream, long intervalMillis, boolean ending) {
    return new Heartbeat(
        stream,
        UUID.randomUUID().toString(),
        System.currentTimeMillis(),
        intervalMillis,
        0,
        0,
        1,
        ending);
  }
}
