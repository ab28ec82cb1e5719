package io.duplog.observe;

import com.google.common.util.concurrent.Uninterruptibles;
import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs the same step again and again on a background thread, with a pause between runs. An
 * exception from a step does not end the thread. The first of several exceptions in a row is logged
 * as a defect. Thread-safe.
 */
public final class PollingThread implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(PollingThread.class);
  private static final long PAUSE_AFTER_DEFECT_NANOS = Duration.ofSeconds(1).toNanos();

  private final LongSupplier step;
  private final Thread thread;
  private volatile boolean hurryRequested;
  private volatile boolean closed;

  /** Whether the last step threw an exception; the pause after such a step is not shortened. */
  private boolean lastStepThrew;

  /**
   * Creates a thread that {@link #start} starts.
   *
   * @param name name of the thread
   * @param step the repeated step; returns the length of the following pause in nanoseconds
   * @param finalStep runs once at the end of the thread, after {@link #close} was called
   */
  public PollingThread(String name, LongSupplier step, Runnable finalStep) {
    this.step = step;
    this.thread =
        new Thread(
            () -> {
              while (!closed) {
                pause(takeStep());
              }
              finalStep.run();
            },
            name);
    thread.setDaemon(true);
  }

  /** Creates a thread that pauses for the same time after each step. */
  public PollingThread(String name, Duration pause, Runnable step) {
    this(name, pause, step, () -> {});
  }

  /**
   * Creates a thread that pauses for the same time after each step, and runs {@code finalStep} at
   * its end.
   */
  public PollingThread(String name, Duration pause, Runnable step, Runnable finalStep) {
    this(
        name,
        () -> {
          step.run();
          return pause.toNanos();
        },
        finalStep);
  }

  /** Starts the thread, unless it has already been started or closed. */
  public synchronized void start() {
    if (thread.getState() == Thread.State.NEW && !closed) {
      thread.start();
    }
  }

  /**
   * Ends the current pause. If a step is running, skips the pause after the step. Has no effect on
   * the pause after a step that threw an exception.
   */
  public void hurry() {
    hurryRequested = true;
    LockSupport.unpark(thread);
  }

  private long takeStep() {
    hurryRequested = false; // this step sees all changes made before hurry() was called
    try {
      long pause = step.getAsLong();
      lastStepThrew = false;
      return pause;
    } catch (RuntimeException e) {
      if (!lastStepThrew) {
        lastStepThrew = true;
        log.error("thread {} met a defect; it goes on", thread.getName(), e);
      }
      return PAUSE_AFTER_DEFECT_NANOS;
    }
  }

  /**
   * Waits for the given time. Ends early if the thread is closed, or if {@link #hurry} is called
   * after a step without an exception.
   */
  private void pause(long nanos) {
    long startNanos = System.nanoTime();
    for (long remainingNanos = nanos;
        remainingNanos > 0 && (!hurryRequested || lastStepThrew) && !closed;
        remainingNanos = nanos - (System.nanoTime() - startNanos)) {
      LockSupport.parkNanos(this, remainingNanos);
    }
  }

  /** Whether {@link #close} was called. */
  public boolean isClosed() {
    return closed;
  }

  /** Requests the end of the thread after the current step. Does not wait for the end. */
  @Override
  public void close() {
    closed = true;
    LockSupport.unpark(thread);
  }

  /** Waits until the thread has ended, or until the given time has passed. */
  public void awaitEnd(Duration maxWait) {
    Uninterruptibles.joinUninterruptibly(thread, maxWait);
  }

  /** Waits until the thread has ended. */
  public void join() throws InterruptedException {
    thread.join();
  }
}
