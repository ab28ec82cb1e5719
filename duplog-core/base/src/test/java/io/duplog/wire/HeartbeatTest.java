package io.duplog.wire;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.util.DefaultLocale;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Tests that a shim's heartbeats are read back as written, and that no other body is taken for a
 * heartbeat.
 */
class HeartbeatTest {
  private static final Heartbeat HEARTBEAT =
      new Heartbeat(
          "syslog-a",
          "p-1",
          1_700_000_000_000L,
          10_000,
          new Heartbeat.Report(
              42, 7, 4, new Heartbeat.Losses(11, -1), new Heartbeat.Rsyslog(99, true)),
          true);

  private static final String ENCODED = new String(HEARTBEAT.encode(), UTF_8);

  @Test
  void decode_heartbeatOfAnyVersion_isRead() {
    assertThat(decode(ENCODED)).isEqualTo(HEARTBEAT);
    assertThat(decode(ENCODED + "mood=good\n")).as("of a later one").isEqualTo(HEARTBEAT);
    assertThat(decode(ENCODED.replace("queues=4\n", "")).report().queues()).isEqualTo(1);
    assertThat(decode(ENCODED.replaceAll("(dropped|discarded)=.*\n", "")).report().losses())
        .isEqualTo(Heartbeat.Losses.NONE_KNOWN);
    assertThat(decode(ENCODED.replaceAll("rsyslog-.*\n", "")).report().rsyslog())
        .isEqualTo(Heartbeat.Rsyslog.NOT_KNOWN);
    assertThat(decode(ENCODED.replace("ending=true\n", "")).ending()).isFalse();
  }

  @Test
  @DefaultLocale("ar-EG")
  void encode_otherLocale_isUnchanged() {
    assertThat(HEARTBEAT.encode())
        .asString(UTF_8)
        .isEqualTo(
            """
            duplog-heartbeat 1
            stream=syslog-a
            process=p-1
            published-ms=1700000000000
            interval-ms=10000
            confirmed=42
            stalled-ms=7
            queues=4
            dropped=11
            discarded=-1
            rsyslog-quiet-ms=99
            rsyslog-probes=true
            ending=true
            """);
  }

  private static Heartbeat decode(String body) {
    return Heartbeat.decode(body.getBytes(UTF_8));
  }

  @Test
  void decode_foreignOrTooLongBody_isNull() {
    for (String body : List.of("", "\n", "hello", "duplog-heartbeat 1", "duplog-heartbeat 1\n")) {
      assertThat(decode(body)).as(body).isNull();
    }
    assertThat(decode(ENCODED + "mood=good\n".repeat(500))).isNull();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "duplog-heartbeat 2",
        "stream=A B",
        "process=",
        "published-ms=x",
        "interval-ms=1",
        "interval-ms=99999999",
        "confirmed=-1",
        "queues=0",
        "dropped=-2",
        "discarded=x",
        "rsyslog-quiet-ms=-2"
      })
  void decode_bodyWithOneInvalidLine_isNull(String line) {
    String begin = line.replaceFirst("[= ].*", "");
    String body = ENCODED.replaceFirst("(?m)^" + begin + "[= ].*$", line);
    assertThat(body).contains(line);
    assertThat(decode(body)).isNull();
  }

  @Test
  void decode_alteredBody_isValidHeartbeatOrNull() {
    Random random = new Random(7);
    for (int i = 0; i < 2_000; i++) {
      byte[] body = HEARTBEAT.encode();
      for (int k = random.nextInt(4); k >= 0; k--) {
        body[random.nextInt(body.length)] = (byte) random.nextInt();
      }
      Heartbeat decoded = Heartbeat.decode(Arrays.copyOf(body, random.nextInt(body.length + 1)));
      assertThat(decoded == null || Topology.isStreamName(decoded.stream())).isTrue();
    }
  }
}
