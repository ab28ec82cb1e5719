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
 * Where messages wait for a request. Every sender of every URL takes from it when it is free, so a
 * fast URL takes more than a slow one by itself. What could not be sent comes back to the front, as
 * the same request, for whichever sender is free first.
 *
 * <p>By Nagle's rule what is there leaves at once when no request is in flight; otherwise it waits
 * until it fills a request, or its oldest message has waited for the linger time.
 *
 * <p>Safe for any thread; everything is guarded by the lock.
 */
final class SendQueue {
  /** What an event takes beside its text, at least; too little only costs a second look. */
  private static final int EVENT_BYTES = 64;

  private final int maxEvents;
  private final long maxBytes;
  private final long lingerNanos;

  private final ReentrantLock lock = new ReentrantLock();

  /** For senders that would send; for senders whose URL may not be sent to. */
  private final Condition work = lock.newCondition();

  private final Condition change = lock.newCondition();

  /** Counts everything that may concern a sender, so that none misses what came before it waits. */
  private long version;

  /** Requests that came back, to be sent with neither more nor fewer messages. */
  private final Deque<RequestBatch> returned = new ArrayDeque<>();

  /** Requests that failed, each to be tried when its time has come. Has a lock of its own. */
  private final PoisonIsolation isolation;

  private final Deque<Run> waiting = new ArrayDeque<>();
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

  /** A delivery request joins the end. */
  void add(Completion completion) {
    BitSet chosen = completion.delivery().chosen();
    Run run = new Run(completion, completion.next(0), chosen.length() - 1, chosen.cardinality());
    lock.lock();
    try {
      boolean wasIdle = waiting.isEmpty();
      boolean wasFull = isFull();
      waiting.addLast(run);
      count(run, 1);
      // Somebody has to watch the linger time, or to send.
      if (wasIdle || inFlight == 0 || (isFull() && !wasFull)) {
        signalWork();
      }
    } finally {
      lock.unlock();
    }
  }

  /**
   * The messages of the next request, if one is to leave now. {@link #answered} has to follow.
   *
   * @param proven whether the sender has accepted the request before; if not, what has not failed
   *     by itself yet goes before what has
   * @param where the sender's URL
   * @return null where there is nothing to send yet
   */
  @Nullable RequestBatch take(long nowNanos, boolean proven, Endpoint where) {
    lock.lock();
    try {
      dropWithdrawn();
      RequestBatch batch = returned.pollFirst();
      if (batch == null) {
        batch = isolation.takeControl(nowNanos);
      }
      if (batch == null) {
        batch = isolation.take(nowNanos, proven, where, !proven);
      }
      if (batch == null && untriedNanos(nowNanos) <= 0) {
        batch = fill();
      }
      if (batch == null && !proven) {
        batch = isolation.take(nowNanos, proven, where, false);
      }
      if (batch == null) {
        return null;
      }
      inFlight++;
      if (!returned.isEmpty() || !waiting.isEmpty()) {
        signalWork();
      }
      return batch;
    } finally {
      lock.unlock();
    }
  }

  /** How long nothing may leave by such a sender, if nothing comes; 0 where something may. */
  long idleNanos(long nowNanos, boolean proven, Endpoint where) {
    lock.lock();
    try {
      if (!returned.isEmpty()) {
        return 0;
      }
      return Math.min(
          isolation.idleNanos(nowNanos, proven, where), Math.max(0, untriedNanos(nowNanos)));
    } finally {
      lock.unlock();
    }
  }

  private long untriedNanos(long nowNanos) {
    Run oldest = waiting.peekFirst();
    if (oldest == null) {
      return Long.MAX_VALUE;
    }
    return inFlight == 0 || isFull()
        ? 0
        : oldest.completion().sinceNanos() + lingerNanos - nowNanos;
  }

  /** Messages that a taken batch held too many go back to the front. */
  void putBack(RequestBatch left) {
    lock.lock();
    try {
      List<Run> runs = left.runs();
      for (int i = runs.size() - 1; i >= 0; i--) {
        waiting.addFirst(runs.get(i));
        count(runs.get(i), 1);
      }
      signalWork();
    } finally {
      lock.unlock();
    }
  }

  /**
   * A request that was taken is over.
   *
   * @param again what of it has to be sent again, a request each, in their order
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

  /** These have to be sent before what waits, a request each. */
  void giveBack(List<RequestBatch> again) {
    lock.lock();
    try {
      for (int i = again.size() - 1; i >= 0; i--) {
        if (!again.get(i).isEmpty()) {
          returned.addFirst(again.get(i));
        }
      }
      if (!returned.isEmpty() || !waiting.isEmpty()) {
        signalWork();
      }
    } finally {
      lock.unlock();
    }
  }

  /** Forgets all that waits. */
  void clear(long nowNanos) {
    lock.lock();
    try {
      returned.clear();
      isolation.clear(nowNanos);
      waiting.clear();
      waitingEvents = 0;
      waitingBytes = 0;
    } finally {
      lock.unlock();
    }
  }

  /** Every sender has to look again. */
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

  /** To be read before looking for work, and given to {@link #await}. */
  long version() {
    lock.lock();
    try {
      return version;
    } finally {
      lock.unlock();
    }
  }

  /**
   * Waits for something to do.
   *
   * @param seenVersion returns at once if something has happened since
   * @param canSend whether the sender could send what comes
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
    while (!returned.isEmpty() && returned.getFirst().isOver()) {
      returned.removeFirst();
    }
    while (!waiting.isEmpty() && waiting.getFirst().completion().isOver()) {
      takeOut();
    }
  }

  private Run takeOut() {
    Run run = waiting.removeFirst();
    count(run, -1);
    return run;
  }

  /** As much of the front as a request may hold. */
  private RequestBatch fill() {
    RequestBatch batch = new RequestBatch();
    long bytes = 0;
    while (!waiting.isEmpty() && batch.count() < maxEvents && bytes < maxBytes) {
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
        waiting.addFirst(rest);
        count(rest, 1);
      }
    }
    return batch;
  }

  /**
   * @param sign 1 where it begins to wait, -1 where it ends
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
