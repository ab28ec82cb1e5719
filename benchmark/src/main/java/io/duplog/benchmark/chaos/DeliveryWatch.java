package io.duplog.benchmark.chaos;

import com.google.common.util.concurrent.Uninterruptibles;
import io.duplog.benchmark.measure.MergedStream;
import io.duplog.benchmark.measure.Tally;
import io.duplog.benchmark.report.Delays;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Function;

/**
 * Reads the sink every few milliseconds, on a thread of its own. After {@link #close} its results
 * may be read by any thread.
 */
final class DeliveryWatch implements AutoCloseable {

  private final Arrivals arrivals;
  private final MergedStream merged;
  private final Thread thread = new Thread(this::run, "delivery-watch");
  private final Object lock = new Object();
  private volatile boolean closed;
  private volatile boolean measuring = true;
  private volatile long delivered;

  /**
   * @param files files that the bridges write; what they contain by now is skipped
   */
  DeliveryWatch(List<Path> files, Arrivals arrivals) throws IOException {
    this.arrivals = arrivals;
    this.merged =
        new MergedStream(files, identity -> arrivals.arrived(identity, System.nanoTime()));
    merged.skipExisting();
    thread.setDaemon(true);
    thread.start();
  }

  private void run() {
    try {
      while (!closed) {
        long before = delivered;
        synchronized (lock) {
          delivered = merged.poll();
        }
        if (measuring) {
          arrivals.looked(delivered > before, System.nanoTime());
        }
        LockSupport.parkNanos(this, Arrivals.RESOLUTION.toNanos());
      }
      synchronized (lock) {
        merged.finish();
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Returns the number of lines that were read from the sink so far. */
  long delivered() {
    return delivered;
  }

  /** Stops measuring gaps between deliveries. To be called when the load has stopped. */
  void stopMeasuring() {
    measuring = false;
  }

  /** Passes all messages read so far to a comparison; reading the sink pauses meanwhile. */
  <T> T whileStill(Function<Tally, T> comparison) {
    synchronized (lock) {
      return comparison.apply(merged.tally());
    }
  }

  /**
   * Counts a message as delivered that is safe elsewhere than in the sink, such as a dead letter.
   */
  void countElsewhere(byte[] bytes, int offset, int length) {
    synchronized (lock) {
      merged.tally().add(bytes, offset, length);
    }
  }

  List<Integer> intervals() {
    synchronized (lock) {
      return arrivals.intervals();
    }
  }

  Delays delays(Duration limit, Duration sender) {
    return arrivals.delays(limit, sender);
  }

  @Override
  public void close() {
    closed = true;
    Uninterruptibles.joinUninterruptibly(thread);
    merged.close();
  }
}
