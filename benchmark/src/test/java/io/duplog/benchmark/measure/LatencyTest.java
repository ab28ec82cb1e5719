package io.duplog.benchmark.measure;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.TimeUnit;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Test;

class LatencyTest {
  private final Latency.Recorder recorder = new Latency.Recorder();

  @Test
  void nothingRecorded_hasNoBuckets() {
    assertThat(recorder.latency().buckets()).isEmpty();
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
