package io.duplog.benchmark.measure;

import java.io.IOException;
import java.nio.file.Files;
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
  private final Window window;
  private final LongUnaryOperator sentNanos;
  private final Latency.Recorder latency = new Latency.Recorder();
  private long inWindow;

  /**
   * The time that is measured, by {@link System#nanoTime}: without the warm-up, and without what
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

  /**
   * Reads everything.
   *
   * @param tally has found nothing yet
   * @param files closed, so that nothing follows
   * @param sentNanos when the message of a number was to leave its sender, by {@link
   *     System#nanoTime}; negative where that does not matter
   * @throws IOException if a file can't be read
   */
  public static Deliveries read(
      SerialTally tally, List<Growth> files, Window window, LongUnaryOperator sentNanos)
      throws IOException {
    Deliveries deliveries = new Deliveries(tally, window, sentNanos);
    for (Growth growth : files) {
      deliveries.read(growth);
    }
    return deliveries;
  }

  private Deliveries(SerialTally tally, Window window, LongUnaryOperator sentNanos) {
    this.tally = tally;
    this.window = window;
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
    if (serial < 0) {
      return;
    }
    long nanos = growth.nanosAt(end);
    if (window.holds(nanos)) {
      inWindow++;
    }
    long sent = sentNanos.applyAsLong(serial);
    if (sent >= 0 && window.holds(sent)) {
      latency.record(nanos - sent);
    }
  }

  /** Different messages that arrived in the window. */
  public long inWindow() {
    return inWindow;
  }

  /** Of the messages that were to leave in the window, whenever they arrived. */
  public Latency latency() {
    return latency.latency();
  }

  /** Compares with what was sent; see {@link SerialTally#against}. */
  public Reconciliation against(long sent, long copies) {
    return tally.against(sent, copies);
  }
}
