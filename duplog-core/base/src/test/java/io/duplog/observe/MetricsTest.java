package io.duplog.observe;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.LongConsumer;
import org.junit.jupiter.api.Test;

/**
 * Tests the metrics that Prometheus reads, and that copies in flight are those received and not yet
 * ended.
 */
class MetricsTest {
  private final Metrics metrics = new Metrics();

  @Test
  void scrape_afterGarbageCollection_showsCurrentValues() {
    LongAdder adder = new LongAdder();
    metrics.counter("duplog.copies.dropped", "Dropped", adder::sum, "stream", "a");
    metrics.gauge("duplog.stream.connected", "Connected", () -> 1, "stream", "a");
    metrics.gauge("duplog.held", "Held", new LongAdder()::sum);
    adder.add(42);
    System.gc();

    assertThat(metrics.scrape())
        .contains("# TYPE duplog_copies_dropped_total counter")
        .contains("\nduplog_copies_dropped_total{stream=\"a\"} 42.0\n")
        .contains("\nduplog_stream_connected{stream=\"a\"} 1.0\n", "\nduplog_held 0.0\n");
  }

  @Test
  void durations_recorded_areInFixedBucketsInSeconds() {
    LongConsumer durations = metrics.durations("duplog.judge", "Judgement");
    durations.accept(TimeUnit.MILLISECONDS.toNanos(2));
    durations.accept(TimeUnit.SECONDS.toNanos(2));
    durations.accept(-1); // a difference of two clocks may be negative

    assertThat(metrics.scrape())
        .contains("duplog_judge_seconds_bucket{le=\"0.001\"} 1")
        .contains("duplog_judge_seconds_bucket{le=\"0.003\"} 2")
        .contains("duplog_judge_seconds_bucket{le=\"1.0\"} 2")
        .contains("duplog_judge_seconds_bucket{le=\"3.0\"} 3")
        .contains("duplog_judge_seconds_bucket{le=\"+Inf\"} 3")
        .contains("duplog_judge_seconds_count 3");
  }

  @Test
  void withPlatform_scrape_showsMemoryCollectorThreadsAndProcessor() {
    metrics.withPlatform();

    assertThat(metrics.scrape())
        .contains("jvm_memory_used_bytes", "jvm_gc_", "jvm_threads_live", "process_cpu_usage")
        .contains("process_uptime_seconds");
    metrics.close();
  }

  @Test
  void inFlight_someCopiesEnded_isReceivedMinusEnded() {
    Counters counters = new Counters(List.of("b", "a"));
    StreamCounters b = counters.of("b");
    b.received.add(10);
    b.add(End.KEPT, 3);
    b.add(End.DROPPED, 2);
    b.add(End.GIVEN_BACK, 1);

    assertThat(b.inFlight()).isEqualTo(4);
    assertThat(b.delivered()).isEqualTo(3);
    assertThat(counters.sum(s -> s.sum(End.DROPPED))).isEqualTo(2);
    assertThat(counters.streams()).extracting(StreamCounters::stream).containsExactly("b", "a");
    assertThat(counters.summary()).contains("received 10", "given back 1", "in flight 4");
  }
}
