package io.duplog.deliver.hec;

import io.duplog.deliver.hec.RequestBatch.Run;
import io.duplog.wire.MessageBatch;
import java.util.ArrayDeque;
import java.util.BitSet;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Messages that wait to be sent. Every sender of every URL takes from this queue when it is free,
 * so a fast URL takes more than a slow one. A request that could not be sent comes back to the
 * front unchanged, for the sender that is free next.
 *
 * <p>As in Nagle's algorithm, waiting messages leave at once if no request is in flight. Otherwise
 * they wait until they fill a request, or until the oldest one has waited for the linger time.
 *
 * <p>Safe for any thread; all state is guarded by the lock.
 */
final class SendQueue {
  /**
   * Estimated bytes of an event beside its text. If it is too low, events that don't fit are put
   * back.
   */
  private static final int EVENT_BYTES = 64;

  private final int maxEvents;
  private final long maxBytes;
  private final long lingerNanos;

  private final ReentrantLock lock = new ReentrantLock();

  /**
   * Condition that is signalled when there are messages to send; threads that may send now await
   * it.
   */
  private final Condition work = lock.newCondition();

  /**
   * Condition that is signalled when a URL's health changes; threads that may not send now await
   * it.
   */
  private final Condition change = lock.newCondition();

  /**
   * Number of changes so far, so that a sender misses none between looking for work and waiting.
   */
  private long version;

  /** Requests to be sent again with exactly the same messages. */
  private final Deque<RequestBatch> returnedBatches = new ArrayDeque<>();

  /** Failed requests, each to be tried again when it is due; has its own lock. */
  private final PoisonIsolation isolation;

  private final Deque<Run> waitingRuns = new ArrayDeque<>();
  private long waitingEvents;
  private long waitingBytes;
  private int inFlight;

  SendQueue(HecSinkConfig config, PoisonIsolation isolation) {
    this.maxEvents = config.maxEvents();
    this.maxBytes = config.maxBytes().bytes();
    this.lingerNanos = config.linger().toNanos();
    this.isolation = isolation;
  }

  PoisonIsolation isolation() {
    return isolation;
  }

  /** Adds a delivery request's messages at the end of the queue. */
  void add(Completion completion) {
    BitSet chosen = completion.delivery().chosen();
    Run run = new Run(completion, completion.next(0), chosen.length() - 1, chosen.cardinality());
    lock.lock();
    try {
      boolean wasIdle = waitingRuns.isEmpty();
      boolean wasFull = isFull();
      waitingRuns.addLast(run);
      count(run, 1);
      // One sender has to wake up, to send or to wait for the end of the linger time.
      if (wasIdle || inFlight == 0 || (isFull() && !wasFull)) {
        signalWork();
      }
    } finally {
      lock.unlock();
    }
  }

  /**
   * Returns the messages of the next request, or null if none is to leave yet. After a batch was
   * taken, {@link #answered} has to follow.
   *
   * @param previousPassed whether the sender's connection accepted its previous request; if not,
   *     batches that have not failed themselves are preferred
   * @param where the sender's URL
   */
  @Nullable RequestBatch take(long nowNanos, boolean previousPassed, Endpoint where) {
    lock.lock();
    try {
      dropWithdrawn();
      RequestBatch batch = returnedBatches.pollFirst();
      if (batch == null) {
        batch = isolation.takeControl(nowNanos);
      }
      if (batch == null) {
        batch = isolation.take(nowNanos, previousPassed, where, !previousPassed);
      }
      if (batch == null && untriedNanos(nowNanos) <= 0) {
        batch = fill();
      }
      if (batch == null && !previousPassed) {
        batch = isolation.take(nowNanos, previousPassed, where, false);
      }
      if (batch == null) {
        return null;
      }
      inFlight++;
      if (!returnedBatches.isEmpty() || !waitingRuns.isEmpty()) {
        signalWork();
      }
      return batch;
    } finally {
      lock.unlock();
    }
  }

  /**
   * Returns the time in nanoseconds until the sender has something to send; 0 if it has already.
   */
  long idleNanos(long nowNanos, boolean previousPassed, Endpoint where) {
    lock.lock();
    try {
      if (!returnedBatches.isEmpty()) {
        return 0;
      }
      return Math.min(
          isolation.idleNanos(nowNanos, previousPassed, where),
          Math.max(0, untriedNanos(nowNanos)));
    } finally {
      lock.unlock();
    }
  }

  private long untriedNanos(long nowNanos) {
    Run oldest = waitingRuns.peekFirst();
    if (oldest == null) {
      return Long.MAX_VALUE;
    }
    return inFlight == 0 || isFull()
        ? 0
        : oldest.completion().sinceNanos() + lingerNanos - nowNanos;
  }

  /** Returns messages that did not fit into a request to the front of the queue. */
  void putBack(RequestBatch left) {
    lock.lock();
    try {
      List<Run> runs = left.runs();
      for (int i = runs.size() - 1; i >= 0; i--) {
        waitingRuns.addFirst(runs.get(i));
        count(runs.get(i), 1);
      }
      signalWork();
    } finally {
      lock.unlock();
    }
  }

  /**
   * Called when a request that was taken is over.
   *
   * @param again what has to be sent again, each batch as a request of its own, in order
   */
  void answered(List<RequestBatch> again) {
    lock.lock();
    try {
      inFlight--;
      giveBack(again);
    } finally {
      lock.unlock();
    }
  }

  /** Puts batches at the front of the queue, each to be sent again as its own request. */
  void giveBack(List<RequestBatch> again) {
    lock.lock();
    try {
      for (int i = again.size() - 1; i >= 0; i--) {
        if (!again.get(i).isEmpty()) {
          returnedBatches.addFirst(again.get(i));
        }
      }
      if (!returnedBatches.isEmpty() || !waitingRuns.isEmpty()) {
        signalWork();
      }
    } finally {
      lock.unlock();
    }
  }

  /** Removes all messages from the queue, including those of failed requests. */
  void clear(long nowNanos) {
    lock.lock();
    try {
      returnedBatches.clear();
      isolation.clear(nowNanos);
      waitingRuns.clear();
      waitingEvents = 0;
      waitingBytes = 0;
    } finally {
      lock.unlock();
    }
  }

  /** Wakes every sender, because a URL's health has changed or the sink is being closed. */
  void wakeAll() {
    lock.lock();
    try {
      version++;
      work.signalAll();
      change.signalAll();
    } finally {
      lock.unlock();
    }
  }

  /**
   * Returns the number of changes so far, to be read before looking for work and given to {@link
   * #await}.
   */
  long version() {
    lock.lock();
    try {
      return version;
    } finally {
      lock.unlock();
    }
  }

  /**
   * Waits until there is something to do.
   *
   * @param seenVersion the version before the caller looked for work; returns at once if it has
   *     changed since
   * @param nanos how long to wait at most
   * @param canSend whether the sender can send now
   */
  void await(long seenVersion, long nanos, boolean canSend) throws InterruptedException {
    lock.lockInterruptibly();
    try {
      long left = nanos;
      while (version == seenVersion && left > 0) {
        left = (canSend ? work : change).awaitNanos(left);
      }
    } finally {
      lock.unlock();
    }
  }

  private void signalWork() {
    version++;
    work.signal();
  }

  private boolean isFull() {
    return waitingEvents >= maxEvents || waitingBytes >= maxBytes;
  }

  private void dropWithdrawn() {
    isolation.dropWithdrawn();
    while (!returnedBatches.isEmpty() && returnedBatches.getFirst().isOver()) {
      returnedBatches.removeFirst();
    }
    while (!waitingRuns.isEmpty() && waitingRuns.getFirst().completion().isOver()) {
      takeOut();
    }
  }

  private Run takeOut() {
    Run run = waitingRuns.removeFirst();
    count(run, -1);
    return run;
  }

  /** Removes as many messages from the front of the queue as one request may hold. */
  private RequestBatch fill() {
    RequestBatch batch = new RequestBatch();
    long bytes = 0;
    while (!waitingRuns.isEmpty() && batch.count() < maxEvents && bytes < maxBytes) {
      Run run = takeOut();
      int message = run.first();
      int fitting = 0;
      while (fitting < run.count() && batch.count() + fitting < maxEvents && bytes < maxBytes) {
        bytes += bytes(run.completion(), message);
        message = run.completion().next(message + 1);
        fitting++;
      }
      batch.add(run.part(0, fitting));
      if (fitting < run.count()) {
        Run rest = run.part(fitting, run.count());
        waitingRuns.addFirst(rest);
        count(rest, 1);
      }
    }
    return batch;
  }

  /**
   * Adds a run's messages and bytes to what waits, or subtracts them.
   *
   * @param sign 1 to add, -1 to subtract
   */
  private void count(Run run, int sign) {
    waitingEvents += (long) sign * run.count();
    run.forEach((completion, message) -> waitingBytes += sign * bytes(completion, message));
  }

  private static long bytes(Completion completion, int message) {
    MessageBatch batch = completion.delivery().batch();
    return (long) batch.end(message) - batch.start(message) + EVENT_BYTES;
  }
}
