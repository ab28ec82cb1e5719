package io.duplog.benchmark.measure;

import java.io.IOException;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.LongUnaryOperator;

/**
 * What the sink has been given, read once when a run is over: each message counted, looked at byte
 * by byte, and told the time at which it was there first.
 */
public final class Deliveries {
  private static final long SECOND_NANOS = TimeUnit.SECONDS.toNanos(1);

  private final SerialTally tally;
  private final LongUnaryOperator sentNanos;
  private final List<InWindow> windows;

  /**
   * A time that is measured, by {@link System#nanoTime}: without the warm-up, and without what
   * comes after the load has ended.
   */
  public record Window(long fromNanos, long toNanos) {
    public Window {
      if (toNanos <= fromNanos) {
        throw new IllegalArgumentException("a window from " + fromNanos + " to " + toNanos);
      }
    }

    public double seconds() {
      return (toNanos - fromNanos) / (double) SECOND_NANOS;
    }

    public boolean holds(long nanos) {
      return nanos >= fromNanos && nanos < toNanos;
    }
  }

  /** What belongs to one window. */
  public static final class InWindow {
    private final Window window;
    private final Latency.Recorder latency = new Latency.Recorder();
    private final List<Latency.Recorder> seconds = new ArrayList<>();
    private long arrived;
    private long repeated;

    private InWindow(Window window) {
      this.window = window;
    }

    private void add(boolean first, long nanos, long sent) {
      if (window.holds(nanos)) {
        arrived += first ? 1 : 0;
        repeated += first ? 0 : 1;
      }
      if (first && sent >= 0 && window.holds(sent)) {
        latency.record(nanos - sent);
        int second = (int) ((sent - window.fromNanos) / SECOND_NANOS);
        while (seconds.size() <= second) {
          seconds.add(new Latency.Recorder());
        }
        seconds.get(second).record(nanos - sent);
      }
    }

    /** Different messages that arrived in it. */
    public long arrived() {
      return arrived;
    }

    /** Lines that arrived in it though their message had come before, or is none that was sent. */
    public long repeated() {
      return repeated;
    }

    /** Of the messages that were to leave in it, whenever they arrived. */
    public Latency latency() {
      return latency.latency();
    }

    /** The same by the second in which they were to leave, from the window's first on. */
    public List<Latency> latencyOfEachSecond() {
      return seconds.stream().map(Latency.Recorder::latency).toList();
    }
  }

  /**
   * Reads everything.
   *
   * @param tally has found nothing yet
   * @param files closed, so that nothing follows
   * @param windows any, which may overlap
   * @param sentNanos when the message of a number was to leave its sender, by {@link
   *     System#nanoTime}; negative where that does not matter
   * @throws IOException if a file can't be read
   */
  public static Deliveries read(
      SerialTally tally, List<Growth> files, List<Window> windows, LongUnaryOperator sentNanos)
      throws IOException {
    Deliveries deliveries = new Deliveries(tally, windows, sentNanos);
    for (Growth growth : files) {
      deliveries.read(growth);
    }
    return deliveries;
  }

  private Deliveries(SerialTally tally, List<Window> windows, LongUnaryOperator sentNanos) {
    this.tally = tally;
    this.windows = windows.stream().map(InWindow::new).toList();
    this.sentNanos = sentNanos;
  }

  private void read(Growth growth) throws IOException {
    if (!Files.exists(growth.file())) {
      return;
    }
    long[] position = {0};
    try (OpenTail tail =
        new OpenTail(
            growth.file(),
            (bytes, offset, length) -> {
              position[0] += length + 1;
              count(bytes, offset, length, growth, position[0]);
            })) {
      tail.finish();
    }
  }

  private void count(byte[] bytes, int offset, int length, Growth growth, long end) {
    long serial = tally.add(bytes, offset, length);
    long nanos = growth.nanosAt(end);
    long sent = serial < 0 ? -1 : sentNanos.applyAsLong(serial);
    for (InWindow window : windows) {
      window.add(serial >= 0, nanos, sent);
    }
  }

  /** What was counted, in the order of the windows that were given. */
  public List<InWindow> windows() {
    return windows;
  }

  /** Compares with what was sent; see {@link SerialTally#against}. */
  public Reconciliation against(long sent, long copies) {
    return tally.against(sent, copies);
  }
}
