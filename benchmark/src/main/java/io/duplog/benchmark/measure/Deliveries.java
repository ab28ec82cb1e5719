package io.duplog.benchmark.measure;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.LongUnaryOperator;

/**
 * Counts the messages that arrive in the time windows of a measurement, and their latency. Not
 * thread-safe.
 */
public final class Deliveries implements MergedStream.Arrivals {
  private static final long NANOS_PER_SECOND = TimeUnit.SECONDS.toNanos(1);

  private final LongUnaryOperator dueNanos;
  private final List<InWindow> windows;

  /**
   * A measured period by {@link System#nanoTime}, without the warm-up and without the time after
   * the load.
   */
  public record Window(long fromNanos, long toNanos) {
    public double seconds() {
      return (toNanos - fromNanos) / (double) NANOS_PER_SECOND;
    }

    public boolean holds(long nanos) {
      return nanos >= fromNanos && nanos < toNanos;
    }
  }

  /** The number and the latency of messages in one measured window. */
  public static final class InWindow {
    private final Window window;
    private final Latency.Recorder latency = new Latency.Recorder();
    private final List<Latency.Recorder> seconds = new ArrayList<>();
    private long arrived;
    private long repeated;

    private InWindow(Window window) {
      this.window = window;
    }

    private void add(boolean isFirst, long nanos, long dueNanos) {
      if (window.holds(nanos)) {
        arrived += isFirst ? 1 : 0;
        repeated += isFirst ? 0 : 1;
      }
      if (isFirst && dueNanos >= 0 && window.holds(dueNanos)) {
        latency.record(nanos - dueNanos);
        int second = (int) ((dueNanos - window.fromNanos) / NANOS_PER_SECOND);
        while (seconds.size() <= second) {
          seconds.add(new Latency.Recorder());
        }
        seconds.get(second).record(nanos - dueNanos);
      }
    }

    /** Returns the number of distinct messages that arrived during the window. */
    public long arrived() {
      return arrived;
    }

    /**
     * Returns the number of other lines that arrived in the window: repetitions, and damaged
     * messages.
     */
    public long repeated() {
      return repeated;
    }

    /**
     * Returns the latency of the messages that were due in the window, even if they arrived later.
     */
    public Latency latency() {
      return latency.latency();
    }

    /**
     * Returns the latency for each second of the window, up to the last in which a message was due.
     */
    public List<Latency> latencyOfEachSecond() {
      return seconds.stream().map(Latency.Recorder::latency).toList();
    }
  }

  /**
   * Creates an instance without deliveries.
   *
   * @param windows windows to measure, which may overlap
   * @param dueNanos returns when the message with a number was due, by {@link System#nanoTime};
   *     negative if it had no due time
   */
  public Deliveries(List<Window> windows, LongUnaryOperator dueNanos) {
    this.windows = windows.stream().map(InWindow::new).toList();
    this.dueNanos = dueNanos;
  }

  @Override
  public void arrived(long serial, boolean isFirst, long nanos) {
    long due = isFirst ? dueNanos.applyAsLong(serial) : -1;
    for (InWindow window : windows) {
      window.add(isFirst, nanos, due);
    }
  }

  /** Returns the results of all windows, in the order of the constructor's windows. */
  public List<InWindow> windows() {
    return windows;
  }
}
