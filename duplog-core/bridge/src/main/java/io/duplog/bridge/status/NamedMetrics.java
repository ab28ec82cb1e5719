package io.duplog.bridge.status;

import io.duplog.observe.Metrics;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.Reader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Objects;
import java.util.Properties;
import java.util.function.BooleanSupplier;
import java.util.function.DoubleSupplier;
import java.util.function.LongSupplier;
import java.util.stream.Stream;

/**
 * Registers a bridge's metrics for Prometheus, each with the description that {@code
 * metrics.properties} has for its name. That file is beside this class; a name that is missing
 * there is refused with a {@link NullPointerException}, unless its description is given. Only the
 * histograms are registered elsewhere, by the bridge's {@code BatchObserver}.
 */
public final class NamedMetrics {
  private static final Properties HELP = new Properties();

  static {
    try (Reader file =
        new InputStreamReader(
            NamedMetrics.class.getResourceAsStream("metrics.properties"), StandardCharsets.UTF_8)) {
      HELP.load(file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private final Metrics metrics;
  private final String[] labels;

  /**
   * @param labels labels of all metrics that are registered: name, value, name, value, …
   */
  public NamedMetrics(Metrics metrics, String... labels) {
    this.metrics = metrics;
    this.labels = labels;
  }

  /** Returns an object that registers metrics with one more label. */
  public NamedMetrics with(String label, String value) {
    return new NamedMetrics(
        metrics, Stream.concat(Stream.of(labels), Stream.of(label, value)).toArray(String[]::new));
  }

  /** Registers a counter, that is, a number that only grows. */
  public void counter(String name, LongSupplier value) {
    metrics.counter(name, help(name), value, labels);
  }

  /** Registers a gauge, that is, a number that goes up and down. */
  public void gauge(String name, DoubleSupplier value) {
    gauge(name, help(name), value);
  }

  /** Registers a gauge that is described elsewhere. */
  public void gauge(String name, String help, DoubleSupplier value) {
    metrics.gauge(name, help, value, labels);
  }

  /** Registers a gauge that is 1 while the value is true, and 0 otherwise. */
  public void flag(String name, BooleanSupplier value) {
    gauge(name, () -> value.getAsBoolean() ? 1 : 0);
  }

  private static String help(String name) {
    return Objects.requireNonNull(
        HELP.getProperty(name), () -> "metrics.properties has no text for " + name);
  }
}
