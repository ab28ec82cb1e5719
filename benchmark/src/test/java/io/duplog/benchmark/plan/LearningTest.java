package io.duplog.benchmark.plan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.offset;
import static org.assertj.core.api.Assertions.within;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LearningTest {
  private static final double DIGITS = 1e-3; // of six in the files

  private @TempDir Path folder;

  @BeforeEach
  void record() throws IOException {
    Recordings.write(folder);
  }

  @Test
  void costs_areThoseThatTheRunsWereMadeWith() throws IOException {
    Costs costs = Learning.of(folder);
    assertThat(costs.of(Station.RSYSLOG).micros().get(Term.COPY)).isCloseTo(2, offset(DIGITS));
    assertThat(costs.of(Station.RSYSLOG).micros().get(Term.COPY_BYTE))
        .isCloseTo(0.01, offset(DIGITS / 100));
    assertThat(costs.of(Station.REDIS).micros().get(Term.UNMATCHED)).isCloseTo(3, offset(DIGITS));
    Traffic traffic = new Traffic(500, 3, 0);
    assertThat(costs.of(Station.SHIM).of(traffic)).isCloseTo(3 * 3.5, within(DIGITS));
    assertThat(costs.of(Station.BROKER).of(traffic)).isCloseTo(3 * 1.75, within(DIGITS));
    assertThat(costs.of(Station.BRIDGE).of(traffic)).isCloseTo(3 * 2 + 5, within(DIGITS));
    assertThat(costs.of(Station.SINK).of(traffic)).isCloseTo(3.5, within(DIGITS));
    assertThat(costs.busy()).isCloseTo(1, offset(DIGITS));
    assertThat(costs.processor().values()).allMatch(cost -> cost.worst() < DIGITS);
  }

  @Test
  void memory_isThatOfOneProcess_andOfOneDigest() throws IOException {
    Costs costs = Learning.of(folder);
    assertThat(costs.of(Memory.REDIS_DIGEST))
        .isEqualTo(new Costs.Figure(90, "growth: one stream dead, 100,000 digests"));
    assertThat(costs.of(Memory.REDIS_EMPTY).bytes()).isCloseTo(1e6, offset(1.0));
    assertThat(costs.of(Memory.REDIS_RECORD).bytes()).isCloseTo(0.5, offset(DIGITS));
    assertThat(costs.of(Memory.BROKER_PROCESS).bytes()).isEqualTo(30e6);
    assertThat(costs.of(Memory.BRIDGE_PROCESS).bytes()).isEqualTo(40e6);
  }

  @Test
  void runsThatAreKeptForValidation_orSmallBatches_areNotLearnedFrom() throws IOException {
    assertThat(Learning.of(folder).learnedFrom())
        .containsExactlyInAnyOrder(
            "sc4s: one node, confirmed, 1000 sent",
            "sc4s: pair, confirmed, 1000 sent",
            "latency: 80 %, 1000 sent",
            "duplog: sustained, 5000 sent",
            "duplog: batches, durable, 5000 sent",
            "growth: 4 streams, 1 bridge, 5000 sent",
            "data-prepper: redundant, 500 sent",
            "data-prepper: single path, 500 sent");
  }

  @Test
  void costs_areTheSameReadAgain() throws IOException {
    Costs costs = Learning.of(folder);
    Path file = folder.resolve("costs.json");
    CostsJson.write(file, costs);
    assertThat(CostsJson.read(file)).isEqualTo(costs);
  }

  @Test
  void missingResults_areNamed() throws IOException {
    Files.delete(folder.resolve("growth.json"));
    assertThatThrownBy(() -> Learning.of(folder))
        .isInstanceOf(IOException.class)
        .hasMessage(folder.resolve("growth.json") + " is not there");
  }

  @Test
  void resultsOfAnotherKind_areRefused() throws IOException {
    Files.writeString(folder.resolve("growth.json"), "[]");
    assertThatThrownBy(() -> Learning.of(folder))
        .hasMessage(folder.resolve("growth.json") + " is no JSON object");
  }
}
