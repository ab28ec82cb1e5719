package io.duplog.observe;

import com.google.common.util.concurrent.Uninterruptibles;
import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A daemon thread that takes the same step again and again, with a pause after each. A step that
 * throws does not end the thread; it is logged as a defect, unless the step before threw too.
 */
public final class PollingThread implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(PollingThread.class);
  private static final long PAUSE_AFTER_DEFECT_NANOS = Duration.ofSeconds(1).toNanos();

  private final LongSupplier step;
  private final Thread thread;
  private volatile boolean hurried;
  private volatile boolean closed;

  /** Whether the last step threw, so that the pause after it is not cut short. */
  private boolean defective;

  /**
   * Makes a thread that does nothing before {@link #start}.
   *
   * @param name of the thread
   * @param step returns the length of the pause after it, in nanoseconds
   * @param last runs on the thread at its end, after {@link #close} was called
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

  /** Makes a thread that pauses for the same time after each step. */
  public PollingThread(String name, Duration pause, Runnable step) {
    this(name, pause, step, () -> {});
  }

  /**
   * Makes a thread that pauses for the same time after each step, and runs {@code last} at its end.
   */
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

  /**
   * Ends the current pause; during a step, skips the pause after it. A pause after a step that
   * threw is not cut short. May be called from any thread.
   */
  public void hurry() {
    hurried = true;
    LockSupport.unpark(thread);
  }

  private long takeStep() {
    hurried = false; // what was told before is seen by this step
    try {
      long pause = step.getAsLong();
      defective = false;
      return pause;
    } catch (RuntimeException e) {
      if (!defective) {
        defective = true;
        log.error("thread {} met a defect; it goes on", thread.getName(), e);
      }
      return PAUSE_AFTER_DEFECT_NANOS;
    }
  }

  /**
   * Waits for the given time; ends early if the thread is closed, or hurried after a step that did
   * not throw.
   */
  private void pause(long nanos) {
    long began = System.nanoTime();
    for (long left = nanos;
        left > 0 && (!hurried || defective) && !closed;
        left = nanos - (System.nanoTime() - began)) {
      LockSupport.parkNanos(this, left);
    }
  }

  /** Whether {@link #close} was called. May be called from any thread. */
  public boolean isClosed() {
    return closed;
  }

  /** Ends the thread after the current step, and returns without waiting for that. */
  @Override
  public void close() {
    closed = true;
    LockSupport.unpark(thread);
  }

  /** Waits until the thread has ended, but at most for the given time. */
  public void awaitEnd(Duration longest) {
    Uninterruptibles.joinUninterruptibly(thread, longest);
  }

  /** Waits until the thread has ended. */
  public void join() throws InterruptedException {
    thread.join();
  }
}
