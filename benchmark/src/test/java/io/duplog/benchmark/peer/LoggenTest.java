package io.duplog.benchmark.peer;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.duplog.benchmark.measure.Reconciliation;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;

class LoggenTest {
  private static final String MESSAGE =
      "<38>1 2026-11-21T12:18:10+00:00 localhost prg00000 1234 - [test name=\"stress17\"]"
          + " \ufeffseq: %010d, thread: %04d, runid: 1795263490, stamp: 2026-11-21T12:18:10"
          + " PADDPADD";

  private static final int SIZE = MESSAGE.formatted(0, 0).getBytes(UTF_8).length + 1;

  @Test
  void command_isTheOneOfThePublishedTest() {
    Installation installation = new Installation(Path.of("/s"), Path.of("/l"), Map.of());

    assertThat(Loggen.command(installation, 514, Loggen.UNBOUNDED, Duration.ofSeconds(30)))
        .asString()
        .isEqualTo(
            "[/l, --inet, --stream, --rate=100000, --interval=30, --syslog-proto, --no-framing,"
                + " --sdata=[test name=\"stress17\"], --size=800, --active-connections=10,"
                + " 127.0.0.1, 514]");
  }

  @Test
  void arrivals_ofTwoConnections_countDuplicatesOfEach_andWhatIsNotWhole() {
    LoggenArrivals arrivals = new LoggenArrivals(SIZE);
    assertThat(add(arrivals, MESSAGE.formatted(0, 0))).isZero();
    assertThat(add(arrivals, MESSAGE.formatted(3, 0))).isZero();
    assertThat(add(arrivals, MESSAGE.formatted(0, 1))).isZero();
    assertThat(add(arrivals, MESSAGE.formatted(0, 1))).isEqualTo(-1);
    assertThat(add(arrivals, MESSAGE.formatted(1, 1).substring(1))).isEqualTo(-1);
    assertThat(add(arrivals, MESSAGE.formatted(4, 0).replace("thread", "thraed"))).isEqualTo(-1);
    assertThat(add(arrivals, MESSAGE.formatted(5, 0).replace("seq: 0", "seq: x"))).isEqualTo(-1);

    assertThat(arrivals.against(5, 10)).isEqualTo(new Reconciliation(5, 10, 7, 2, 1, 3));
  }

  private static long add(LoggenArrivals arrivals, String line) {
    byte[] bytes = line.getBytes(UTF_8);
    return arrivals.add(bytes, 0, bytes.length);
  }
}
