package io.duplog.benchmark.measure;

import io.duplog.benchmark.load.NumberedLines;
import java.io.IOException;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.LongUnaryOperator;

/**
 * The messages that the sink has got, read once after a run. Each one is counted, compared byte by
 * byte, and assigned the time at which it was first in the file.
 */
public final class Deliveries {
  private static final long SECOND_NANOS = TimeUnit.SECONDS.toNanos(1);

  private final SerialTally tally;
  private final LongUnaryOperator sentNanos;
  private final List<InWindow> windows;

  /**
   * A measured period by {@link System#nanoTime}, without the warm-up and without the time after
   * the load.
   */
  public record Window(long fromNanos, long toNanos) {
    public double seconds() {
      return (toNanos - fromNanos) / (double) SECOND_NANOS;
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

    /** Returns the number of different messages that arrived during the window. */
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
   * Reads all files.
   *
   * @param lines the messages that were sent
   * @param files closed records of the sink's files
   * @param windows windows to measure, which may overlap
   * @param sentNanos returns when the message with a number was due, by {@link System#nanoTime};
   *     negative if it had no due time
   * @throws IOException if a file can't be read
   */
  public Deliveries(
      NumberedLines lines, List<Growth> files, List<Window> windows, LongUnaryOperator sentNanos)
      throws IOException {
    this.tally = new SerialTally(lines);
    this.windows = windows.stream().map(InWindow::new).toList();
    this.sentNanos = sentNanos;
    for (Growth growth : files) {
      read(growth);
    }
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

  /** Returns the results of all windows, in the order in which the windows were given. */
  public List<InWindow> windows() {
    return windows;
  }

  /** Compares the delivered messages with the sent ones; see {@link SerialTally#against}. */
  public Reconciliation against(long sent, long copies) {
    return tally.against(sent, copies);
  }
}
