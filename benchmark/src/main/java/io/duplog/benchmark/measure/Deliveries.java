package io.duplog.benchmark.measure;

import io.duplog.benchmark.load.Messages;
import io.duplog.benchmark.load.Tally;
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

  private final Messages messages;
  private final Tally tally = new Tally();
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
   * @param messages the messages that were sent
   * @param files closed records of the sink's files
   * @param windows windows to measure, which may overlap
   * @param sentNanos returns when the message with a number was due, by {@link System#nanoTime};
   *     negative if it had no due time
   * @throws IOException if a file can't be read
   */
  public Deliveries(
      Messages messages, List<Growth> files, List<Window> windows, LongUnaryOperator sentNanos)
      throws IOException {
    this.messages = messages;
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
    long serial = messages.serialOf(bytes, offset, length);
    boolean first = tally.add(serial);
    long nanos = growth.nanosAt(end);
    long sent = first ? sentNanos.applyAsLong(serial) : -1;
    for (InWindow window : windows) {
      window.add(first, nanos, sent);
    }
  }

  /** Returns the results of all windows, in the order in which the windows were given. */
  public List<InWindow> windows() {
    return windows;
  }

  /** Returns the delivered messages. */
  public Tally tally() {
    return tally;
  }
}
