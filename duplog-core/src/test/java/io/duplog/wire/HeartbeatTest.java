package io.duplog.wire;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class HeartbeatTest {
  private static final Heartbeat HEARTBEAT =
      new Heartbeat("syslog-a", "p-1", 1_700_000_000_000L, 10_000, 42, 7, 4, true);

  @Test
  void heartbeat_encoded_isReadAgain() {
    String encoded = new String(HEARTBEAT.encode(), UTF_8);
    assertThat(read(encoded)).isEqualTo(HEARTBEAT);
    assertThat(read(encoded + "mood=good\n")).as("of a later version").isEqualTo(HEARTBEAT);
  }

  @Test
  void heartbeat_ofAnEarlierShim_hasOneQueue_andIsNotTheLast() {
    String encoded = new String(HEARTBEAT.encode(), UTF_8);
    assertThat(read(encoded.replace("queues=4\n", "")).queues()).isEqualTo(1);
    assertThat(read(encoded.replace("ending=true\n", "")).ending()).isFalse();
  }

  private static Heartbeat read(String body) {
    return Heartbeat.decode(body.getBytes(UTF_8));
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "\n", "hello", "duplog-heartbeat 1", "duplog-heartbeat 1\n"})
  void bodyOfAStranger_isNoHeartbeat(String body) {
    assertThat(read(body)).isNull();
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
        "queues=0"
      })
  void bodyWithOneLineThatIsWrong_isNoHeartbeat(String line) {
    String begin = line.replaceFirst("[= ].*", "");
    String body =
        new String(HEARTBEAT.encode(), UTF_8).replaceFirst("(?m)^" + begin + "[= ].*$", line);
    assertThat(body).contains(line);
    assertThat(read(body)).isNull();
  }

  @Test
  void bodyThatIsTooLong_isNoHeartbeat() {
    assertThat(Heartbeat.decode(Arrays.copyOf(HEARTBEAT.encode(), 5000))).isNull();
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
