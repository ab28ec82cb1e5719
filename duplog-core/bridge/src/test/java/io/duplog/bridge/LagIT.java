package io.duplog.bridge;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.duplog.wire.Heartbeat;
import java.nio.charset.StandardCharsets;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/**
 * Tests that bridges know by a shim's heartbeats whether a stream is silent, behind or dead, using
 * real servers.
 */
class LagIT extends BridgeBetweenServers {
  @Test
  void heartbeats_tellSilentWaitingAndDead_atEachOfTwoBridges() throws Exception {
    Bridge one = start("one", "lag: {heartbeat: 1s}");
    Bridge two = start("two", "lag: {heartbeat: 1s}");
    // A heartbeat of a stranger is settled and ignored.
    byte[] unfinished = "duplog-heartbeat 1\nstream=a".getBytes(StandardCharsets.UTF_8);
    streamA.publishAs(Heartbeat.CONTENT_TYPE, null, unfinished);
    streamA.publishAs(Heartbeat.CONTENT_TYPE, null, new byte[100_000]);

    await()
        .until(
            () -> {
              // Each reaches one of the two bridges.
              streamA.publishAs(Heartbeat.CONTENT_TYPE, null, heartbeat("a", false).encode());
              return isState("a", "silent") && isState("b", "waiting");
            });

    streamA.publish("for both");
    await().until(() -> isState("b", "dead"));
    await()
        .until(
            () -> {
              // A single message may be too old before the other bridge learns about it.
              streamB.publish("at last");
              return isState("b", "flowing");
            });
    // A shim that says that it ends is not missed; one that just ends is.
    streamB.publishAs(Heartbeat.CONTENT_TYPE, null, heartbeat("b", true).encode());
    await().until(() -> isState("a", "dead") && isState("b", "waiting"));
    awaitSettled();
    assertThat(sink.counts()).containsOnlyKeys("for both", "at last");
    String strange = "duplog_heartbeats_strange_total{stream=\"a\"}";
    assertThat(sum(one, strange) + sum(two, strange)).isEqualTo(2);
  }

  @Test
  void observe_deliversEveryCopy_andCountsThoseThatItWouldHaveDropped() throws Exception {
    Bridge one = startWith("one", "dedup: {", "dedup: {mode: observe, ");
    Bridge two = startWith("two", "dedup: {", "dedup: {mode: observe, ");
    for (int i = 0; i < 30; i++) {
      publish(numbered(i * 10, i * 10 + 10));
    }

    awaitSettled();

    assertThat(sink.counts()).hasSize(300).values().containsOnly(2);
    String observed = "duplog_copies_delivered_total{passage=\"observed\"";
    assertThat(sum(one, observed) + sum(two, observed)).isEqualTo(300);
  }

  /** Whether both bridges report this state of a stream. */
  private boolean isState(String stream, String state) {
    String line = "duplog_stream_state{state=\"" + state + "\",stream=\"" + stream + "\"}";
    return bridges.stream().allMatch(bridge -> sum(bridge, line) == 1);
  }

  /** Returns a heartbeat of a shim that sends one each second. */
  private static Heartbeat heartbeat(String stream, boolean ending) {
    String process = UUID.randomUUID().toString();
    return new Heartbeat(
        stream,
        process,
        System.currentTimeMillis(),
        1000,
        new Heartbeat.Report(0, 0, 1, Heartbeat.Losses.NONE_KNOWN, Heartbeat.Rsyslog.NOT_KNOWN),
        ending);
  }
}
