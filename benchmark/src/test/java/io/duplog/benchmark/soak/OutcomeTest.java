package io.duplog.benchmark.soak;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.entry;

import io.duplog.rig.LabException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class OutcomeTest {
  @TempDir private Path folder;

  private Outcome read(String json) throws LabException, IOException {
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
        .containsExactly(
            entry("rate", 21100.2),
            entry("cpu total", 14.0),
            entry("cpu ours, relative", 0.75),
            entry("latency avg", 12.0),
            entry("latency p99", 31.5),
            entry("cpu rsyslog", 8.0),
            entry("cpu shim", 2.5),
            entry("cpu shim, relative", 0.3125),
            entry("cpu bridge", 3.5),
            entry("cpu bridge, relative", 0.4375));
    assertThat(outcome.sent()).isEqualTo(1000);
    assertThat(outcome.lost()).isZero();
    assertThat(outcome.line()).isEqualTo("rate 21,100");
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

    assertThat(calm.figures()).containsEntry("cpu ours, relative", 1.0);
    assertThat(slow.figures())
        .containsEntry("cpu ours, relative", 1.0)
        .containsEntry("cpu total", 16.0);
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
        .containsExactly(entry("1 core: rate", 5.0), entry("2 cores: rate", 9.0));
    assertThat(outcome.sent()).isEqualTo(30);
    assertThat(outcome.lost()).isEqualTo(7);
    assertThat(outcome.line()).isEqualTo("1 core: rate 5, 2 cores: rate 9; LOST OR ALTERED: 7");
  }

  @Test
  void fileThatIsNoResult_isRefused() {
    for (String json : new String[] {"", "{", "[]", "{}", "{\"scenario\": \"x\", \"runs\": []}"}) {
      assertThatThrownBy(() -> read(json)).isInstanceOf(LabException.class);
    }
    String run = "{\"scenario\": \"x\", \"runs\": [{\"variant\": \"y\", \"rate\": %s}]}";
    assertThatThrownBy(() -> read(run.formatted("5"))).hasMessageContaining("'lost'");
    assertThatThrownBy(() -> read(run.formatted("0, \"lost\": 0")))
        .hasMessageContaining("delivered nothing while it was measured");
    assertThatThrownBy(() -> Outcome.read(folder.resolve("none.json")))
        .isInstanceOf(LabException.class)
        .hasMessageContaining("none.json");
  }
}
