package io.duplog.observe;

import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.Timer;
import io.micrometer.core.instrument.binder.jvm.JvmGcMetrics;
import io.micrometer.core.instrument.binder.jvm.JvmMemoryMetrics;
import io.micrometer.core.instrument.binder.jvm.JvmThreadMetrics;
import io.micrometer.core.instrument.binder.system.FileDescriptorMetrics;
import io.micrometer.core.instrument.binder.system.ProcessorMetrics;
import io.micrometer.core.instrument.binder.system.UptimeMetrics;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.time.Duration;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.DoubleSupplier;
import java.util.function.LongConsumer;
import java.util.function.LongSupplier;
import java.util.stream.Stream;

/**
 * Registers counters and gauges, and prints them in the format that Prometheus reads. The code
 * writes names with dots, such as {@code duplog.copies.dropped}; Prometheus reads them with
 * underscores and a unit, such as {@code duplog_copies_dropped_total}. The values stay in the
 * objects that count them, and are read at each scrape. Thread-safe.
 */
public final class Metrics implements AutoCloseable {
  /** HTTP content type of the text that {@link #scrape} returns. */
  public static final String CONTENT_TYPE = "text/plain; version=0.0.4; charset=utf-8";

  /** Bucket bounds of all histograms. Few buckets keep the number of time series small. */
  private static final Duration[] BUCKETS =
      Stream.of(1, 3, 10, 30, 100, 300, 1_000, 3_000, 10_000, 30_000, 100_000, 300_000)
          .map(Duration::ofMillis)
          .toArray(Duration[]::new);

  private final PrometheusMeterRegistry registry =
      new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);

  /**
   * Strong references to the suppliers of values, because the registry has only weak references to
   * them.
   */
  private final Queue<Object> valueSuppliers = new ConcurrentLinkedQueue<>();

  private final JvmGcMetrics gcMetrics = new JvmGcMetrics();

  /**
   * Adds the metrics of the Java platform: memory, garbage collector, threads, processor, files and
   * uptime.
   */
  public Metrics withPlatform() {
    gcMetrics.bindTo(registry);
    List.of(
            new JvmMemoryMetrics(),
            new JvmThreadMetrics(),
            new ProcessorMetrics(),
            new FileDescriptorMetrics(),
            new UptimeMetrics())
        .forEach(binder -> binder.bindTo(registry));
    return this;
  }

  /**
   * Registers a counter, whose value only grows.
   *
   * @param labels name, value, name, value, …
   */
  public void counter(String name, String help, LongSupplier value, String... labels) {
    valueSuppliers.add(value);
    FunctionCounter.builder(name, value, LongSupplier::getAsLong)
        .description(help)
        .tags(labels)
        .register(registry);
  }

  /**
   * Registers a gauge, whose value may rise and fall.
   *
   * @param labels name, value, name, value, …
   */
  public void gauge(String name, String help, DoubleSupplier value, String... labels) {
    valueSuppliers.add(value);
    Gauge.builder(name, value, DoubleSupplier::getAsDouble)
        .description(help)
        .tags(labels)
        .register(registry);
  }

  /**
   * Registers a histogram of durations with fixed buckets from 1 ms to 5 min.
   *
   * @param labels name, value, name, value, …
   * @return consumer of the durations, in nanoseconds
   */
  public LongConsumer durations(String name, String help, String... labels) {
    Timer timer =
        Timer.builder(name)
            .description(help)
            .tags(labels)
            .serviceLevelObjectives(BUCKETS)
            .register(registry);
    return nanos -> timer.record(Duration.ofNanos(Math.max(0, nanos)));
  }

  /** Returns all metrics in Prometheus' text format. */
  public String scrape() {
    return registry.scrape(CONTENT_TYPE);
  }

  @Override
  public void close() {
    gcMetrics.close();
    registry.close();
  }
}
