package io.duplog.benchmark.measure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.withPrecision;
import static org.assertj.core.api.Assertions.within;

import java.util.concurrent.TimeUnit;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Test;

class LatencyTest {
  private final Latency.Recorder recorder = new Latency.Recorder();

  @Test
  void sum_isOfWhatWasRecorded() {
    assertThat(recorder.latency().buckets()).isEmpty();
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

  @Test
  void buckets_areTenToAPowerOfTen_withoutGaps_andHoldEveryMessage() {
    record(10, 1);
    record(11, 2);
    record(150, 3);
    record(1_500, 4);

    Latency latency = recorder.latency();

    assertThat(latency.count()).isEqualTo(10);
    assertThat(latency.buckets()).hasSize(22);
    assertThat(latency.buckets().stream().mapToLong(Latency.Bucket::count).sum()).isEqualTo(10);
    assertThat(latency.buckets().get(0).fromMillis()).isCloseTo(10, Offset.offset(1e-9));
    assertThat(latency.buckets().get(0).count()).isEqualTo(3);
    for (int i = 1; i < latency.buckets().size(); i++) {
      assertThat(latency.buckets().get(i).fromMillis())
          .isEqualTo(latency.buckets().get(i - 1).toMillis());
    }
    Latency.Bucket last = latency.buckets().get(21);
    assertThat(last.count()).isEqualTo(4);
    assertThat(1_500.0).isBetween(last.fromMillis(), last.toMillis());
  }

  private void record(long millis, int times) {
    for (int i = 0; i < times; i++) {
      recorder.record(TimeUnit.MILLISECONDS.toNanos(millis));
    }
  }
}
