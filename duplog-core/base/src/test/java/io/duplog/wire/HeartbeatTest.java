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

/** Tests that heartbeats are read again, and strange bodies are none. */
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
  void heartbeat_ofAnyVersion_isReadAgain() {
    assertThat(read(ENCODED)).isEqualTo(HEARTBEAT);
    assertThat(read(ENCODED + "mood=good\n")).as("of a later one").isEqualTo(HEARTBEAT);
    assertThat(read(ENCODED.replace("queues=4\n", "")).report().queues()).isEqualTo(1);
    assertThat(read(ENCODED.replaceAll("(dropped|discarded)=.*\n", "")).report().losses())
        .isEqualTo(Heartbeat.Losses.NONE_KNOWN);
    assertThat(read(ENCODED.replaceAll("rsyslog-.*\n", "")).report().rsyslog())
        .isEqualTo(Heartbeat.Rsyslog.NOT_KNOWN);
    assertThat(read(ENCODED.replace("ending=true\n", "")).ending()).isFalse();
  }

  @Test
  @DefaultLocale("ar-EG")
  void heartbeat_isTheSameInEveryLocale() {
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

  private static Heartbeat read(String body) {
    return Heartbeat.decode(body.getBytes(UTF_8));
  }

  @Test
  void bodyOfAStranger_orThatIsTooLong_isNoHeartbeat() {
    for (String body : List.of("", "\n", "hello", "duplog-heartbeat 1", "duplog-heartbeat 1\n")) {
      assertThat(read(body)).as(body).isNull();
    }
    assertThat(read(ENCODED + "mood=good\n".repeat(500))).isNull();
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
  void bodyWithOneLineThatIsWrong_isNoHeartbeat(String line) {
    String begin = line.replaceFirst("[= ].*", "");
    String body = ENCODED.replaceFirst("(?m)^" + begin + "[= ].*$", line);
    assertThat(body).contains(line);
    assertThat(read(body)).isNull();
  }

  @Test
  void alteredBody_isReadOrIsNoHeartbeat_andNothingElse() {
    Random random = new Random(7);
    for (int i = 0; i < 2_000; i++) {
      byte[] body = HEARTBEAT.encode();
      for (int k = random.nextInt(4); k >= 0; k--) {
        body[random.nextInt(body.length)] = (byte) random.nextInt();
      }
      Heartbeat read = Heartbeat.decode(Arrays.copyOf(body, random.nextInt(body.length + 1)));
      assertThat(read == null || Topology.isStreamName(read.stream())).isTrue();
    }
  }
}
