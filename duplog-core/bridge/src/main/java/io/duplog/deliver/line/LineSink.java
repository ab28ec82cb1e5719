package io.duplog.deliver.line;

import io.duplog.deliver.DeliveryRequest;
import io.duplog.deliver.Sink;
import io.duplog.deliver.SinkContext;
import io.duplog.observe.Trouble;
import java.io.IOException;
import java.time.Duration;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes messages to a file, to standard output or to a connection, and accepts them after the
 * output has stored them. One thread takes all waiting delivery requests, writes them in large
 * pieces, makes the output commit them, and only then accepts them. A failed write is retried
 * forever, with growing pauses, unless the output is broken.
 */
public final class LineSink implements Sink {
  private static final Logger log = LoggerFactory.getLogger(LineSink.class);

  private static final int WRITE_BYTES = 1 << 20;

  /** Limit of a group in bytes, so that no delivery request waits long for later ones. */
  private static final long GROUP_BYTES = 8L << 20;

  private static final long MIN_PAUSE_NANOS = Duration.ofMillis(250).toNanos();
  private static final long MAX_PAUSE_NANOS = Duration.ofSeconds(5).toNanos();
  private static final Duration CLOSE_TIMEOUT = Duration.ofSeconds(5);

  /** Time in nanoseconds after which a run counts as hanging, so that the sink is unavailable. */
  private static final long HUNG_AFTER_NANOS = Duration.ofSeconds(10).toNanos();

  private final LineOutput output;
  private final Consumer<String> defectListener;
  private final LongSupplier nanoClock;
  private final Trouble trouble;
  private final String consequence;
  private final Thread thread;

  /** Delivery requests that the writer has not taken yet. The fields below belong to the writer. */
  private final Queue<DeliveryRequest> queue = new ConcurrentLinkedQueue<>();

  /**
   * Lock that the writer holds during each run, and {@link #withdraw} while it changes the writer's
   * group.
   */
  private final ReentrantLock runLock = new ReentrantLock();

  /** Start of the writer's current run in nanoseconds, or 0 between runs. */
  private volatile long runStartNanos;

  private final Group group;
  private final LineBuffer buffer = new LineBuffer(WRITE_BYTES);
  private boolean isMarked;
  private long pauseNanos;
  private long pausedSinceNanos;

  private volatile boolean isStopping;

  /**
   * Creates a sink that does nothing until it is {@linkplain #start started}. The writer's thread
   * reports that the sink has failed if the output is permanently broken, or the writer has a
   * defect.
   */
  public LineSink(LineOutput output, Framing framing, SinkContext context) {
    this.output = output;
    this.defectListener = context.failed();
    this.nanoClock = context.board().nanoClock();
    this.consequence = context.consequence();
    this.group = new Group(framing);
    this.trouble = context.trouble(log, output.name());
    this.thread = new Thread(this::run, "deliver");
    thread.setDaemon(true); // a hanging write must not keep the process alive
  }

  /** Starts the writer's thread. */
  public LineSink start() {
    thread.start();
    return this;
  }

  @Override
  public void deliver(DeliveryRequest delivery) {
    queue.add(delivery);
    LockSupport.unpark(thread);
  }

  @Override
  public boolean isAvailable() {
    long since = runStartNanos;
    return !trouble.isOpen() && (since == 0 || nanoClock.getAsLong() - since < HUNG_AFTER_NANOS);
  }

  /**
   * Withdraws all delivery requests except for one, because only a retry of that one shows when the
   * output works again. If a write hangs, its group stays as well, because it is unknown how many
   * of its bytes will be written.
   */
  @Override
  public void withdraw() {
    if (runLock.tryLock()) {
      try {
        group.withdrawAllButOne();
        forgetBuffer();
      } finally {
        runLock.unlock();
      }
    }
    for (DeliveryRequest delivery = queue.poll(); delivery != null; delivery = queue.poll()) {
      delivery.callback().withdrawn();
    }
  }

  @Override
  public void watch() {
    output.watch();
  }

  @Override
  public @Nullable String reopen() {
    boolean reopens = output.reopen();
    LockSupport.unpark(thread);
    return reopens ? output.name() : null;
  }

  @Override
  public void close() throws IOException {
    isStopping = true;
    LockSupport.unpark(thread);
    try {
      thread.join(CLOSE_TIMEOUT.toMillis());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    if (thread.isAlive()) {
      // The disk or the reader of the pipe hangs, so that closing would hang as well.
      throw new IOException(output.name() + " does not return from its last write");
    }
    output.close();
  }

  private void run() {
    try {
      while (!isStopping) {
        long idleNanos = runOnce();
        if (idleNanos > 0) {
          LockSupport.parkNanos(this, idleNanos);
        }
      }
    } catch (RuntimeException | Error e) {
      // A defect. A bridge that ends is restarted. A bridge that continued would deliver nothing.
      log.error("{} failed", output.name(), e);
      defectListener.accept(output.name() + " failed (" + e + "). See the stack trace in the log.");
    }
  }

  /**
   * Performs one run: writes and accepts waiting delivery requests, unless the output fails. Called
   * by the writer's thread, or by a test in its place.
   *
   * @return nanoseconds to pause, unless a delivery request arrives
   */
  public long runOnce() {
    long stillPaused = pauseNanos - (nanoClock.getAsLong() - pausedSinceNanos);
    if (pauseNanos > 0 && stillPaused > 0) {
      return stillPaused;
    }
    runLock.lock();
    runStartNanos = Math.max(1, nanoClock.getAsLong());
    try {
      return writeAndCommit();
    } finally {
      runStartNanos = 0;
      runLock.unlock();
    }
  }

  private long writeAndCommit() {
    try {
      write();
      output.commit();
    } catch (BrokenOutputException e) {
      isStopping = true;
      defectListener.accept(e.getMessage());
      return Long.MAX_VALUE;
    } catch (LinesLostException e) {
      group.rewind();
      forgetBuffer();
      return pauseAfter(e);
    } catch (IOException e) {
      return pauseAfter(e);
    }
    pauseNanos = 0;
    isMarked = false;
    group.accept();
    trouble.recovered();
    return queue.isEmpty() ? output.idleNanos() : 0;
  }

  private void forgetBuffer() {
    buffer.start();
    buffer.finish();
  }

  private void write() throws IOException {
    output.prepare();
    if (group.isEmpty()) {
      group.take(queue, GROUP_BYTES);
    }
    if (!isMarked) {
      output.mark();
      isMarked = true;
    }
    while (buffer.bytes().hasRemaining() || !group.isWritten()) {
      if (!buffer.bytes().hasRemaining()) {
        group.fill(buffer);
      }
      output.append(buffer.bytes());
    }
  }

  private long pauseAfter(IOException e) {
    trouble.occurred(
        output.name()
            + " can't be written ("
            + e.getMessage()
            + "). "
            + consequence
            + " "
            + output.remedy()
            + " Retrying every 0.25-5 s.");
    pausedSinceNanos = nanoClock.getAsLong();
    pauseNanos = Math.min(MAX_PAUSE_NANOS, Math.max(MIN_PAUSE_NANOS, 2 * pauseNanos));
    return pauseNanos;
  }
}
