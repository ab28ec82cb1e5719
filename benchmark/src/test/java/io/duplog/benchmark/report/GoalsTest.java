package io.duplog.benchmark.report;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class GoalsTest {
  private @TempDir Path folder;

  @Test
  void figures_standBesideTheGoal_andGrowthIsTheDearestRunByTheFirst() throws IOException {
    write(
        "duplog.json",
        """
        {"scenario": "duplog", "runs": [
          {"variant": "sustained", "rate": 310000.4,
           "cpu_us_per_message": {"shim": 2.0, "bridge": 5.0},
           "resident_bytes": {"bridge": 250000000}}]}
        """);
    write(
        "peers.json",
        """
        {"runs": [{"variant": "two syslog-ng to HEC", "rate": 20000},
                  {"variant": "pair of Duplog, unconfirmed", "rate": 15000}]}
        """);

    write(
        "growth.json",
        """
        {"scenario": "growth", "runs": [
          {"variant": "one stream dead, 100,000 digests",
           "figures": {"bytes a digest": 60, "Redis µs a copy": 1.0}},
          {"variant": "one stream dead, 1,000,000 digests",
           "figures": {"bytes a digest": 50, "Redis µs a copy": 1.6}},
          {"variant": "one stream dead, 5,000,000 digests",
           "figures": {"bytes a digest": 44, "Redis µs a copy": 1.25}},
          {"variant": "2 streams, 1 bridge", "figures": {"µs a copy, all but generator": 4.0}},
          {"variant": "2 streams, 2 bridges", "figures": {"µs a copy, all but generator": 5.0}},
          {"variant": "8 streams, 1 bridge", "figures": {"µs a copy, all but generator": 3.0}}]}
        """);

    assertThat(Goals.page(folder))
        .contains("110 bytes, durable | ≥ 290,000 messages/s | 310,000 | yes |")
        .contains("bridge, CPU a copy, 110 bytes (`duplog`) | ≤ 2 µs | 2.50 | **no** |")
        .contains("resident (`duplog`) | ≤ 300 MB | 250 | yes |")
        .contains("two syslog-ng in the same run | ≥ 1 times | 0.75 | **no** |")
        .contains("`sc4s` pair, confirmed | ≥ 40,000 messages/s |  | not measured |")
        .contains("one stream dead, a digest | ≤ 48 B | 44 | yes |")
        .contains("against 100,000 | ≤ 1.50 times | 1.60 | **no** |")
        .contains("4 bridges against 1 | ≤ 1.50 times | 1.25 | yes |")
        .contains("8 streams against 2 | ≤ 1.50 times | 1 | yes |");
  }

  @Test
  void names_thatScenariosWrote_areThoseThatGoalsLookFor() throws IOException {
    assertThat(Goals.page(Path.of("results")))
        .doesNotContain("not measured")
        .contains("at half load, p99 | ≤ 100 ms | 391 | ");
  }

  private void write(String name, String content) throws IOException {
    Files.writeString(folder.resolve(name), content);
  }
}
