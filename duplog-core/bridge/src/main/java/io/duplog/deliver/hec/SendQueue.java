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
 * Holds the messages that wait to be sent to Splunk, from which every idle sender takes. Every
 * sender of every URL takes from this queue when it is idle, so a fast URL takes more than a slow
 * one. A request that could not be sent returns to the front unchanged, for the next idle sender.
 *
 * <p>As in Nagle's algorithm, waiting messages are sent immediately if no request is in flight.
 * Otherwise they wait until they fill a request, or until the oldest one has waited for the linger
 * time.
 *
 * <p>Thread-safe. All state is guarded by the lock.
 */
final class SendQueue {
  /**
   * Estimated bytes of an event in addition to its text. If it is too low, events that don't fit
   * are put back.
   */
  private static final int EVENT_OVERHEAD_BYTES = 64;

  private final int maxEvents;
  private final long maxBytes;
  private final long lingerNanos;

  private final ReentrantLock lock = new ReentrantLock();

  /**
   * Condition that is signalled when there are messages to send; awaited by threads that may send
   * now.
   */
  private final Condition workAvailable = lock.newCondition();

  /**
   * Condition that is signalled when a URL's health changes; awaited by threads that may not send
   * now.
   */
  private final Condition healthChanged = lock.newCondition();

  /** Number of changes so far. A sender uses it to miss none between taking work and waiting. */
  private long version;

  /** Requests to resend with exactly the same messages. */
  private final Deque<RequestBatch> returnedBatches = new ArrayDeque<>();

  /** Failed requests, each retried when it is due; has its own lock. */
  private final PoisonIsolation poisonIsolation;

  private final Deque<Run> waitingRuns = new ArrayDeque<>();
  private long waitingEvents;
  private long waitingBytes;
  private int inFlightRequests;

  SendQueue(HecSinkConfig config, PoisonIsolation poisonIsolation) {
    this.maxEvents = config.maxEvents();
    this.maxBytes = config.maxBytes().bytes();
    this.lingerNanos = config.linger().toNanos();
    this.poisonIsolation = poisonIsolation;
  }

  PoisonIsolation poisonIsolation() {
    return poisonIsolation;
  }

  /** Adds a delivery request's messages at the end of the queue. */
  void add(Completion completion) {
    BitSet chosen = completion.delivery().chosen();
    Run run =
        new Run(completion, completion.nextMessage(0), chosen.length() - 1, chosen.cardinality());
    lock.lock();
    try {
      boolean wasIdle = waitingRuns.isEmpty();
      boolean wasFull = isFull();
      waitingRuns.addLast(run);
      addToTotals(run, 1);
      // One sender must wake up, to send or to wait for the end of the linger time.
      if (wasIdle || inFlightRequests == 0 || (isFull() && !wasFull)) {
        signalWork();
      }
    } finally {
      lock.unlock();
    }
  }

  /**
   * Returns the messages of the next request, or null if none is due yet. After a batch was taken,
   * {@link #onAnswered} must follow.
   *
   * @param previousSucceeded whether the sender's previous request did not fail; if it did, batches
   *     that have not failed themselves are preferred
   * @param url the sender's URL
   */
  @Nullable RequestBatch take(long nowNanos, boolean previousSucceeded, Endpoint url) {
    lock.lock();
    try {
      dropWithdrawn();
      RequestBatch batch = returnedBatches.pollFirst();
      if (batch == null) {
        batch = poisonIsolation.takeControlEvent(nowNanos);
      }
      if (batch == null) {
        batch = poisonIsolation.take(nowNanos, previousSucceeded, url, !previousSucceeded);
      }
      if (batch == null && waitingNanos(nowNanos) <= 0) {
        batch = takeWaiting();
      }
      if (batch == null && !previousSucceeded) {
        batch = poisonIsolation.take(nowNanos, previousSucceeded, url, false);
      }
      if (batch == null) {
        return null;
      }
      inFlightRequests++;
      if (!returnedBatches.isEmpty() || !waitingRuns.isEmpty()) {
        signalWork();
      }
      return batch;
    } finally {
      lock.unlock();
    }
  }

  /** Returns the time in nanoseconds until the sender has messages to send, or 0 if it has some. */
  long idleNanos(long nowNanos, boolean previousSucceeded, Endpoint url) {
    lock.lock();
    try {
      if (!returnedBatches.isEmpty()) {
        return 0;
      }
      return Math.min(
          poisonIsolation.idleNanos(nowNanos, previousSucceeded, url),
          Math.max(0, waitingNanos(nowNanos)));
    } finally {
      lock.unlock();
    }
  }

  private long waitingNanos(long nowNanos) {
    Run oldest = waitingRuns.peekFirst();
    if (oldest == null) {
      return Long.MAX_VALUE;
    }
    return inFlightRequests == 0 || isFull()
        ? 0
        : oldest.completion().receivedNanos() + lingerNanos - nowNanos;
  }

  /** Returns messages that did not fit into a request to the front of the queue. */
  void putBackMessages(RequestBatch overflow) {
    lock.lock();
    try {
      List<Run> runs = overflow.runs();
      for (int i = runs.size() - 1; i >= 0; i--) {
        waitingRuns.addFirst(runs.get(i));
        addToTotals(runs.get(i), 1);
      }
      signalWork();
    } finally {
      lock.unlock();
    }
  }

  /**
   * Called when a request that was taken has ended.
   *
   * @param resent the batches to resend, each as a request of its own, in order
   */
  void onAnswered(List<RequestBatch> resent) {
    lock.lock();
    try {
      inFlightRequests--;
      putBackRequests(resent);
    } finally {
      lock.unlock();
    }
  }

  /** Puts batches at the front of the queue, each to be resent as its own request. */
  void putBackRequests(List<RequestBatch> resent) {
    lock.lock();
    try {
      for (int i = resent.size() - 1; i >= 0; i--) {
        if (!resent.get(i).isEmpty()) {
          returnedBatches.addFirst(resent.get(i));
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
      poisonIsolation.clear(nowNanos);
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
      workAvailable.signalAll();
      healthChanged.signalAll();
    } finally {
      lock.unlock();
    }
  }

  /**
   * Returns the number of changes so far. Callers read it before they look for work and pass it to
   * {@link #await}.
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
   * Waits until there may be work.
   *
   * @param seenVersion the version before the caller looked for work; returns at once if it has
   *     changed since
   * @param nanos the maximum wait
   * @param canSend whether the sender can send now
   */
  void await(long seenVersion, long nanos, boolean canSend) throws InterruptedException {
    lock.lockInterruptibly();
    try {
      long leftNanos = nanos;
      while (version == seenVersion && leftNanos > 0) {
        leftNanos = (canSend ? workAvailable : healthChanged).awaitNanos(leftNanos);
      }
    } finally {
      lock.unlock();
    }
  }

  private void signalWork() {
    version++;
    workAvailable.signal();
  }

  private boolean isFull() {
    return waitingEvents >= maxEvents || waitingBytes >= maxBytes;
  }

  private void dropWithdrawn() {
    poisonIsolation.dropWithdrawn();
    while (!returnedBatches.isEmpty() && returnedBatches.getFirst().isDone()) {
      returnedBatches.removeFirst();
    }
    while (!waitingRuns.isEmpty() && waitingRuns.getFirst().completion().isDone()) {
      removeFirstRun();
    }
  }

  private Run removeFirstRun() {
    Run run = waitingRuns.removeFirst();
    addToTotals(run, -1);
    return run;
  }

  /** Removes as many messages from the front of the queue as one request may hold. */
  private RequestBatch takeWaiting() {
    RequestBatch batch = new RequestBatch();
    long bytes = 0;
    while (!waitingRuns.isEmpty() && batch.count() < maxEvents && bytes < maxBytes) {
      Run run = removeFirstRun();
      int message = run.first();
      int fitting = 0;
      while (fitting < run.count() && batch.count() + fitting < maxEvents && bytes < maxBytes) {
        bytes += bytes(run.completion(), message);
        message = run.completion().nextMessage(message + 1);
        fitting++;
      }
      batch.add(run.part(0, fitting));
      if (fitting < run.count()) {
        Run rest = run.part(fitting, run.count());
        waitingRuns.addFirst(rest);
        addToTotals(rest, 1);
      }
    }
    return batch;
  }

  /**
   * Adds a run's messages and bytes to the totals of waiting messages, or subtracts them.
   *
   * @param sign 1 to add, -1 to subtract
   */
  private void addToTotals(Run run, int sign) {
    waitingEvents += (long) sign * run.count();
    run.forEach((completion, message) -> waitingBytes += sign * bytes(completion, message));
  }

  private static long bytes(Completion completion, int message) {
    MessageBatch batch = completion.delivery().batch();
    return (long) batch.end(message) - batch.start(message) + EVENT_OVERHEAD_BYTES;
  }
}
