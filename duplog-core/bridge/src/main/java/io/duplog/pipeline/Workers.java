package io.duplog.pipeline;

import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The threads that decode deliveries and have them judged. Their queue has no limit of its own,
 * because the prefetch bounds what is in it.
 */
final class Workers {
  private static final long FIRST_RETRY_NANOS = TimeUnit.MILLISECONDS.toNanos(20);
  private static final int MOST_DOUBLINGS = 6;

  /** A batch whose judgement is postponed, and the task that judges it after a pause. */
  record Parked(InFlightBatch batch, Runnable task, long retryAtNanos) {}

  private final int count;
  private final LongSupplier nanoClock;
  private final BlockingQueue<Runnable> work = new LinkedBlockingQueue<>();
  private final Queue<Parked> parked = new ConcurrentLinkedQueue<>();

  /** Number of tasks that are queued or in progress. */
  private final AtomicInteger unfinished = new AtomicInteger();

  private final List<Thread> threads = new ArrayList<>();
  private volatile boolean stopping;

  Workers(int count, LongSupplier nanoClock) {
    this.count = count;
    this.nanoClock = nanoClock;
  }

  void start() {
    for (int i = 0; i < count; i++) {
      threads.add(new Thread(this::run, "judge-" + i));
    }
    threads.forEach(Thread::start);
  }

  /** Queues the task for a worker thread. May be called from any thread. */
  void execute(Runnable task) {
    unfinished.incrementAndGet();
    work.add(task);
  }

  /**
   * Has a worker perform the task after a pause, which doubles with each postponement up to a
   * limit. May be called from any thread.
   *
   * @param times how often the batch was postponed, this time included
   */
  void executeLater(int times, InFlightBatch batch, Runnable task) {
    long pauseNanos = FIRST_RETRY_NANOS << Math.min(times - 1, MOST_DOUBLINGS);
    parked.add(new Parked(batch, task, nanoClock.getAsLong() + pauseNanos));
  }

  /** Queues all postponed tasks whose pause is over, for the worker threads. */
  void retryParked() {
    long now = nanoClock.getAsLong();
    for (int i = parked.size(); i > 0; i--) {
      Parked next = parked.poll();
      if (next == null) {
        return;
      }
      if (now - next.retryAtNanos() >= 0) {
        execute(next.task());
      } else {
        parked.add(next);
      }
    }
  }

  /** Returns the postponed tasks; the explorer in the tests removes them in any order. */
  Queue<Parked> parked() {
    return parked;
  }

  void stopTaking() {
    stopping = true;
    parked.clear();
  }

  boolean isStopping() {
    return stopping;
  }

  boolean isIdle() {
    return unfinished.get() == 0;
  }

  void stop() {
    threads.forEach(Thread::interrupt);
  }

  private void run() {
    while (true) {
      Runnable next;
      try {
        next = work.take();
      } catch (InterruptedException e) {
        return;
      }
      perform(next);
    }
  }

  /**
   * Performs the task that has waited longest, as a worker thread would.
   *
   * @return whether there was one
   */
  boolean runOnce() {
    @Nullable Runnable next = work.poll();
    if (next == null) {
      return false;
    }
    perform(next);
    return true;
  }

  private void perform(Runnable task) {
    task.run();
    unfinished.decrementAndGet();
  }
}
