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
              "cpu_us_per_message": {"generator": 2, "rsyslog": 6, "redis": 1.5, "bridge": 4.5}}]}
            """);
    assertThat(outcome.figures())
        .containsExactly(
            entry("rate", 21100.2),
            entry("cpu total", 14.0),
            entry("cpu ours, relative", 0.75),
            entry("latency avg", 12.0),
            entry("latency p99", 31.5),
            entry("cpu generator", 2.0),
            entry("cpu rsyslog", 6.0),
            entry("cpu redis", 1.5),
            entry("cpu redis, relative", 0.1875),
            entry("cpu bridge", 4.5),
            entry("cpu bridge, relative", 0.5625));
    assertThat(outcome.sent()).isEqualTo(1000);
    assertThat(outcome.lost()).isZero();
    assertThat(outcome.line()).isEqualTo("rate 21,100");
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
