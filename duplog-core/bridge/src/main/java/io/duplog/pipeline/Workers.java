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
 * Runs the threads that decode batches and have them judged. Their queue has no limit, because the
 * prefetch bounds its length.
 */
final class Workers {
  private static final long FIRST_PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(20);
  private static final int MAX_PAUSE_DOUBLINGS = 6;

  /** A batch whose judgement is postponed, and the task that judges it after a pause. */
  record Postponed(InFlightBatch batch, Runnable task, long retryAtNanos) {}

  private final int count;
  private final LongSupplier nanoClock;
  private final BlockingQueue<Runnable> tasks = new LinkedBlockingQueue<>();
  private final Queue<Postponed> postponedBatches = new ConcurrentLinkedQueue<>();

  /** Number of tasks that are queued or in progress. */
  private final AtomicInteger unfinishedTasks = new AtomicInteger();

  private final List<Thread> threads = new ArrayList<>();
  private volatile boolean isStopping;

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

  /** Queues the task for a worker thread. Thread-safe. */
  void execute(Runnable task) {
    unfinishedTasks.incrementAndGet();
    tasks.add(task);
  }

  /**
   * Has a worker perform the task after a pause, which doubles with each postponement up to a
   * limit. Thread-safe.
   *
   * @param times how often the batch was postponed, including this time
   */
  void executeLater(int times, InFlightBatch batch, Runnable task) {
    long pauseNanos = FIRST_PAUSE_NANOS << Math.min(times - 1, MAX_PAUSE_DOUBLINGS);
    postponedBatches.add(new Postponed(batch, task, nanoClock.getAsLong() + pauseNanos));
  }

  /** Queues all postponed tasks whose pause is over, for the worker threads. */
  void retryPostponed() {
    long now = nanoClock.getAsLong();
    for (int i = postponedBatches.size(); i > 0; i--) {
      Postponed next = postponedBatches.poll();
      if (next == null) {
        return;
      }
      if (now - next.retryAtNanos() >= 0) {
        execute(next.task());
      } else {
        postponedBatches.add(next);
      }
    }
  }

  /** Returns the postponed tasks. The tests' explorer removes them in any order. */
  Queue<Postponed> postponed() {
    return postponedBatches;
  }

  void stopTaking() {
    isStopping = true;
    postponedBatches.clear();
  }

  boolean isStopping() {
    return isStopping;
  }

  boolean isIdle() {
    return unfinishedTasks.get() == 0;
  }

  void stop() {
    threads.forEach(Thread::interrupt);
  }

  private void run() {
    while (true) {
      Runnable next;
      try {
        next = tasks.take();
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
    @Nullable Runnable next = tasks.poll();
    if (next == null) {
      return false;
    }
    perform(next);
    return true;
  }

  private void perform(Runnable task) {
    task.run();
    unfinishedTasks.decrementAndGet();
  }
}
