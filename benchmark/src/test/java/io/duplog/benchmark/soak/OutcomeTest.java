package io.duplog.benchmark.soak;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.entry;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class OutcomeTest {
  @TempDir private Path folder;

  private Outcome read(String json) throws SoakException, IOException {
    return Outcome.read(Files.writeString(folder.resolve("result.json"), json));
  }

  @Test
  void oneRun_givesItsFigures() throws Exception {
    Outcome outcome =
        read(
            """
            {"scenario": "sc4s", "machine": {"cores": 2}, "later": {"tags": ["x"]},
             "runs": [{"variant": "pair", "seconds": 10, "sent": 1000, "delivered": 1000, "lost": 0,
              "duplicated": 3, "corrupted": 0, "rate": 21100.2,
              "latency_ms": {"avg": 12, "p50": 10.0, "p75": 14, "p95": 20, "p99": 31.5, "max": 40},
              "cpu_us_per_message": {"rsyslog": 8.0, "shim": 2.5, "bridge": 3.5}}]}
            """);
    assertThat(outcome.figures())
        .containsOnly(
            entry(Figure.rate(""), 21100.2),
            entry(Figure.cpu("", "rsyslog"), 8.0),
            entry(Figure.cpu("", "shim"), 2.5),
            entry(Figure.cpu("", "bridge"), 3.5),
            entry(Figure.cpu("", "total"), 14.0),
            entry(Figure.relativeCpu("", "ours"), 0.75),
            entry(Figure.relativeCpu("", "shim"), 0.3125),
            entry(Figure.relativeCpu("", "bridge"), 0.4375),
            entry(Figure.latency("", "avg"), 12.0),
            entry(Figure.latency("", "p99"), 31.5));
    assertThat(outcome.sent()).isEqualTo(1000);
    assertThat(outcome.lost()).isZero();
    assertThat(outcome.line())
        .isEqualTo(
            "rate 21,100 messages/s, cpu total 14.0 µs/message,"
                + " cpu ours, relative 0.750 times the others', latency avg 12.0 ms,"
                + " latency p99 31.5 ms");
  }

  @Test
  void slowHost_changesNoRelativeFigure() throws Exception {
    String run =
        """
        {"scenario": "x", "runs": [{"variant": "y", "sent": 10, "lost": 0, "rate": 5,
         "cpu_us_per_message": {"generator": %1$d, "broker": %2$d, "redis": %1$d, "bridge": %2$d}}]}
        """;
    Outcome calm = read(run.formatted(1, 3));
    Outcome slow = read(run.formatted(2, 6));

    Figure ours = Figure.relativeCpu("", "ours");
    assertThat(slow.figures().get(ours)).isEqualTo(calm.figures().get(ours)).isEqualTo(1.0);
    assertThat(slow.figures()).containsEntry(Figure.cpu("", "total"), 16.0);
  }

  @Test
  void severalVariants_keepTheirNames_andTheirLossesAddUp() throws Exception {
    Outcome outcome =
        read(
            """
            {"scenario": "x", "runs": [{"variant": "1 core", "sent": 10, "lost": 1, "rate": 5},
                      {"variant": "2 cores", "sent": 20, "lost": 2, "corrupted": 4, "rate": 9}]}
            """);
    assertThat(outcome.figures())
        .containsOnly(entry(Figure.rate("1 core"), 5.0), entry(Figure.rate("2 cores"), 9.0));
    assertThat(outcome.sent()).isEqualTo(30);
    assertThat(outcome.lost()).isEqualTo(7);
    assertThat(outcome.line()).endsWith("; LOST OR ALTERED: 7");
  }

  @Test
  void fileThatIsNoResult_isRefused() {
    for (String json : new String[] {"", "{", "[]", "{}", "{\"scenario\": \"x\", \"runs\": []}"}) {
      assertThatThrownBy(() -> read(json)).isInstanceOf(SoakException.class);
    }
    String run = "{\"scenario\": \"x\", \"runs\": [{\"variant\": \"y\", \"rate\": %s}]}";
    assertThatThrownBy(() -> read(run.formatted("5"))).hasMessageContaining("'lost'");
    assertThatThrownBy(() -> read(run.formatted("0, \"lost\": 0")))
        .hasMessageContaining("delivered nothing while it was measured");
    assertThatThrownBy(() -> Outcome.read(folder.resolve("none.json")))
        .isInstanceOf(SoakException.class)
        .hasMessageContaining("none.json");
  }
}
