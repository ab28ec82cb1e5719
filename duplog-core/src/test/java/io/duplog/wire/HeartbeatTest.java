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
    assertThat(Heartbeat.decode(HEARTBEAT.encode())).isEqualTo(HEARTBEAT);
  }

  @Test
  void heartbeat_ofAShimThatDoesNotCountItsQueues_isOfOne() {
    String earlier = new String(HEARTBEAT.encode(), UTF_8).replace("queues=4\n", "");
    assertThat(Heartbeat.decode(earlier.getBytes(UTF_8)).queues()).isEqualTo(1);
  }

  @Test
  void heartbeat_ofAShimThatDoesNotSayThatItEnds_isNotTheLast() {
    String earlier = new String(HEARTBEAT.encode(), UTF_8).replace("ending=true\n", "");
    assertThat(Heartbeat.decode(earlier.getBytes(UTF_8)).ending()).isFalse();
  }

  @Test
  void namesOfALaterVersion_areIgnored() {
    String later = new String(HEARTBEAT.encode(), UTF_8) + "mood=good\n";
    assertThat(Heartbeat.decode(later.getBytes(UTF_8))).isEqualTo(HEARTBEAT);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "\n",
        "hello",
        "duplog-heartbeat 1",
        "duplog-heartbeat 2\nstream=a\nprocess=p\npublished-ms=1\ninterval-ms=10000\nconfirmed=0\nstalled-ms=0",
        "duplog-heartbeat 1\nstream=A B\nprocess=p\npublished-ms=1\ninterval-ms=10000\nconfirmed=0\nstalled-ms=0",
        "duplog-heartbeat 1\nstream=a\nprocess=\npublished-ms=1\ninterval-ms=10000\nconfirmed=0\nstalled-ms=0",
        "duplog-heartbeat 1\nstream=a\nprocess=p\npublished-ms=x\ninterval-ms=10000\nconfirmed=0\nstalled-ms=0",
        "duplog-heartbeat 1\nstream=a\nprocess=p\npublished-ms=1\ninterval-ms=1\nconfirmed=0\nstalled-ms=0",
        "duplog-heartbeat 1\nstream=a\nprocess=p\npublished-ms=1\ninterval-ms=99999999\nconfirmed=0\nstalled-ms=0",
        "duplog-heartbeat 1\nstream=a\nprocess=p\npublished-ms=1\ninterval-ms=10000\nconfirmed=-1\nstalled-ms=0",
        "duplog-heartbeat 1\nstream=a\nprocess=p\npublished-ms=1\ninterval-ms=10000\nconfirmed=0\nstalled-ms=0\nqueues=0"
      })
  void bodyOfAStranger_isNoHeartbeat(String body) {
    assertThat(Heartbeat.decode(body.getBytes(UTF_8))).isNull();
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
