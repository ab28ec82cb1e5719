package io.duplog.benchmark.plan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.offset;

import java.io.IOException;
import java.net.URL;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ValidationTest {
  private @TempDir Path folder;

  @BeforeEach
  void record() throws IOException {
    Recordings.write(folder);
  }

  private Validation peers(String... runs) throws IOException {
    Recordings.file(folder, "peers", runs);
    return Validation.of(Learning.of(folder), Recording.read(folder.resolve("peers.json")).runs());
  }

  @Test
  void runThatCostsWhatWasLearned_isSound() throws IOException {
    Validation validation = peers(Recordings.journey("peers", "pair", 2, 500, 1));
    assertThat(validation.isSound()).isTrue();
    Validation.Compared run = validation.compared().get(0);
    assertThat(run.micros().deviation()).isCloseTo(0, offset(1e-3));
    assertThat(run.rates().get(0).deviation()).isCloseTo(0, offset(1e-3));
  }

  @Test
  void runThatCostsMore_isToldWithItsDeviation() throws IOException {
    Validation validation = peers(Recordings.journey("peers", "pair", 2, 500, 1.3));
    assertThat(validation.isSound()).isFalse();
    assertThat(ValidationPage.of(validation))
        .contains("-23 %", "+30 %", "TOO FAR", "0 of 1 runs within 20 %");
  }

  /** Recorded after the costs of this build were learned, or with servers held to some cores. */
  @Test
  void costsOfThisBuild_foretellThreeRealRuns() throws Exception {
    URL runs = ValidationTest.class.getResource("held-out.json");
    assertThat(runs).isNotNull();
    Validation validation =
        Validation.of(CostsJson.own(), Recording.read(Path.of(runs.toURI())).runs());
    assertThat(validation.compared()).hasSize(3);
    assertThat(validation.isSound()).as(ValidationPage.of(validation)).isTrue();
  }

  @Test
  void runsThatProveNothing_areLeftOut() throws IOException {
    Costs costs = Learning.of(folder);
    Validation own = Validation.of(costs, Recording.read(folder.resolve("sc4s.json")).runs());
    assertThat(own.leftOut())
        .contains(
            "sc4s: pair, confirmed: the costs were learned from it",
            "sc4s: pair, confirmed, loggen itself: is not rsyslog, confirming shims and HEC");
    Validation idle = Validation.of(costs, Recording.read(folder.resolve("latency.json")).runs());
    assertThat(idle.leftOut().get(0)).contains("left the machine idle");
    assertThat(idle.isSound()).isFalse();
    assertThat(ValidationPage.of(idle)).endsWith("nothing to compare");
  }
}
