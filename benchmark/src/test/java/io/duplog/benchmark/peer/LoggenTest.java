package io.duplog.benchmark.peer;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;

class LoggenTest {
  private static final String MESSAGE =
      "<38>1 2026-11-21T12:18:10+00:00 localhost prg00000 1234 - [test name=\"stress17\"]"
          + " \ufeffseq: %010d, thread: %04d, runid: 1795263490, stamp: 2026-11-21T12:18:10 PADDPADD";

  private static final int SIZE = MESSAGE.formatted(0, 0).getBytes(UTF_8).length + 1;

  @Test
  void summary_isFoundBehindTheProgress() {
    String output =
        """
        count=8363, rate = 3623.80 msg/sec
        average rate = 4905.78 msg/sec, count=14986, time=3.05476, (average) msg size=800, bandwidth=3832.64 kB/sec
        0m0.010s 0m0.000s
        """;

    assertThat(LoggenSummary.find(output))
        .hasValueSatisfying(
            summary -> {
              assertThat(summary.rate()).isEqualTo(4905.78);
              assertThat(summary.count()).isEqualTo(14986);
              assertThat(summary.seconds()).isEqualTo(3.05476);
              assertThat(summary.size()).isEqualTo(800);
              assertThat(summary.bandwidth()).isEqualTo(3832.64);
              assertThat(summary.text()).startsWith("average rate").endsWith("kB/sec");
            });
    assertThat(LoggenSummary.find("count=1, rate = 1 msg/sec")).isEmpty();
  }

  @Test
  void cpu_isThatOfTheChildren() {
    assertThat(Loggen.cpu("...\n0m0.010s 0m0.020s\n1m1.250s 0m0.500s\n"))
        .isEqualTo(Duration.ofMillis(61_750));
  }

  @Test
  void command_isTheOneOfThePublishedTest() {
    Installation installation = new Installation(Path.of("/s"), Path.of("/l"), Map.of());

    assertThat(Loggen.command(installation, 514, Loggen.Load.ofSc4s(Duration.ofSeconds(30))))
        .containsExactly(
            "/l",
            "--inet",
            "--stream",
            "--rate=100000",
            "--interval=30",
            "--syslog-proto",
            "--no-framing",
            "--sdata=[test name=\"stress17\"]",
            "--size=800",
            "--active-connections=10",
            "127.0.0.1",
            "514");
  }

  @Test
  void message_ofLoggen_isToldApart() {
    byte[] bytes = ("x" + MESSAGE.formatted(5, 3)).getBytes(UTF_8);

    assertThat(LoggenMessage.parse(bytes, 1, bytes.length - 1))
        .isEqualTo(new LoggenMessage(1795263490, 3, 5));
  }

  @Test
  void message_ofSomeoneElse_isNone() {
    for (String text :
        new String[] {
          "",
          "seq: ",
          "seq: 000000000x, thread: 0003, runid: 1795263490, stamp: ",
          "seq: 0000000001, thraed: 0003, runid: 1795263490, stamp: "
        }) {
      byte[] bytes = text.getBytes(UTF_8);
      assertThat(LoggenMessage.parse(bytes, 0, bytes.length)).as(text).isNull();
    }
  }

  @Test
  void arrivals_ofTwoConnections_countDuplicatesAndGapsOfEach() {
    LoggenArrivals arrivals = new LoggenArrivals(SIZE);
    add(arrivals, MESSAGE.formatted(0, 0));
    add(arrivals, MESSAGE.formatted(3, 0));
    add(arrivals, MESSAGE.formatted(0, 1));
    add(arrivals, MESSAGE.formatted(0, 1));
    add(arrivals, MESSAGE.formatted(1, 1).substring(1));

    assertThat(arrivals.unique()).isEqualTo(3);
    assertThat(arrivals.duplicated()).isEqualTo(1);
    assertThat(arrivals.gaps()).isEqualTo(2);
    assertThat(arrivals.corrupted()).isEqualTo(1);
  }

  private static void add(LoggenArrivals arrivals, String line) {
    byte[] bytes = line.getBytes(UTF_8);
    arrivals.add(bytes, 0, bytes.length);
  }
}
