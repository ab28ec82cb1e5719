package io.duplog.benchmark.measure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.withPrecision;
import static org.assertj.core.api.Assertions.within;

import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class LatencyTest {
  private final Latency.Recorder recorder = new Latency.Recorder();

  @Test
  void sum_isOfWhatWasRecorded() {
    for (int i = 1; i <= 1_000; i++) {
      record(i, 1);
    }
    Latency latency = recorder.latency();

    assertThat(latency.count()).isEqualTo(1_000);
    assertThat(latency.averageMillis()).isCloseTo(500.5, within(0.5));
    assertThat(
            new double[] {
              latency.p50Millis(),
              latency.p75Millis(),
              latency.p95Millis(),
              latency.p99Millis(),
              latency.maxMillis()
            })
        .containsExactly(new double[] {500, 750, 950, 990, 1_000}, withPrecision(1.0));
  }

  @Test
  void time_outsideOfWhatCanBeKept_isKeptAsTheNext() {
    recorder.record(-5);
    record(3 * 3_600_000, 1);

    assertThat(recorder.latency().p50Millis()).isCloseTo(0.001, within(0.0001));
    assertThat(recorder.latency().maxMillis()).isGreaterThanOrEqualTo(3_600_000.0);
  }

  private void record(long millis, int times) {
    for (int i = 0; i < times; i++) {
      recorder.record(TimeUnit.MILLISECONDS.toNanos(millis));
    }
  }
}
