package io.duplog.benchmark.chaos;

import com.google.common.util.concurrent.Uninterruptibles;
import io.duplog.benchmark.load.Messages;
import io.duplog.benchmark.load.Tally;
import io.duplog.benchmark.measure.MergedStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
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
  DeliveryWatch(List<Path> files, Messages messages, Arrivals arrivals) throws IOException {
    this.arrivals = arrivals;
    this.merged =
        new MergedStream(files, messages, serial -> arrivals.arrived(serial, System.nanoTime()));
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

  /**
   * Passes all messages read so far to a function, which may count others that are safe elsewhere
   * than in the sink, such as dead letters. Reading the sink pauses meanwhile, so that the function
   * may look at the arrivals, too.
   */
  <T> T whileStill(Function<Tally, T> use) {
    synchronized (lock) {
      return use.apply(merged.tally());
    }
  }

  @Override
  public void close() {
    closed = true;
    Uninterruptibles.joinUninterruptibly(thread);
    merged.close();
  }
}
