package io.duplog.observe;

import com.google.common.util.concurrent.Uninterruptibles;
import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A daemon thread that takes the same step again and again, with a pause after each. A step that
 * throws is logged as a defect the first time, and does not end the thread.
 */
public final class PollingThread implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(PollingThread.class);
  private static final long PAUSE_AFTER_DEFECT_NANOS = Duration.ofSeconds(1).toNanos();

  private final LongSupplier step;
  private final Thread thread;
  private volatile boolean hurried;
  private volatile boolean closed;
  private boolean defective;

  /**
   * Makes a thread that does nothing before {@link #start}.
   *
   * @param name of the thread
   * @param step returns the length of the pause after it, in nanoseconds
   * @param last runs on the thread when it is closed
   */
  public PollingThread(String name, LongSupplier step, Runnable last) {
    this.step = step;
    this.thread =
        new Thread(
            () -> {
              while (!closed) {
                pause(takeStep());
              }
              last.run();
            },
            name);
    thread.setDaemon(true);
  }

  /** Makes a thread whose pauses are of one length. */
  public PollingThread(String name, Duration pause, Runnable step) {
    this(name, pause, step, () -> {});
  }

  /** Makes a thread whose pauses are of one length, and that does something when it is closed. */
  public PollingThread(String name, Duration pause, Runnable step, Runnable last) {
    this(
        name,
        () -> {
          step.run();
          return pause.toNanos();
        },
        last);
  }

  /** Starts the thread, unless it was started or closed before. */
  public synchronized void start() {
    if (thread.getState() == Thread.State.NEW && !closed) {
      thread.start();
    }
  }

  /** Ends the present pause, or skips the next one during a step. May be called from any thread. */
  public void hurry() {
    hurried = true;
    LockSupport.unpark(thread);
  }

  private long takeStep() {
    hurried = false; // what was told before is seen by this step
    try {
      return step.getAsLong();
    } catch (RuntimeException e) {
      if (!defective) {
        defective = true;
        log.error("thread {} met a defect; it goes on", thread.getName(), e);
      }
      return PAUSE_AFTER_DEFECT_NANOS;
    }
  }

  /** Parks again after a wake-up that was not meant for this pause. */
  private void pause(long nanos) {
    long began = System.nanoTime();
    for (long left = nanos;
        left > 0 && !hurried && !closed;
        left = nanos - (System.nanoTime() - began)) {
      LockSupport.parkNanos(this, left);
    }
  }

  /** Whether the thread takes no further step. May be called from any thread. */
  public boolean isClosed() {
    return closed;
  }

  /** Ends the thread after the present step, without waiting for that. */
  @Override
  public void close() {
    closed = true;
    LockSupport.unpark(thread);
  }

  /** Waits until the thread has ended, but not longer than this. */
  public void awaitEnd(Duration longest) {
    Uninterruptibles.joinUninterruptibly(thread, longest);
  }

  /** Waits until the thread has ended. */
  public void join() throws InterruptedException {
    thread.join();
  }
}
