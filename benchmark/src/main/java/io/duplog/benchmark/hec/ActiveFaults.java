package io.duplog.benchmark.hec;

import io.duplog.collector.HecFault;
import io.duplog.collector.HecRequest;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.LongSupplier;

/**
 * The faults that the stand-in for Splunk shows at the moment, such as refusing every request.
 * Several may be active at the same time. Thread-safe.
 */
public final class ActiveFaults {
  static final int UNLIMITED_TIMES = Integer.MAX_VALUE;
  static final Duration FOREVER = Duration.ofDays(365);

  /**
   * An active fault.
   *
   * @param times number of requests that the fault will still affect
   * @param untilNanos end of the fault, by the clock
   */
  private record ActiveFault(
      HecFault fault, Set<HecRequest.Target> targets, AtomicInteger times, long untilNanos) {
    boolean isCounted() {
      return times.get() != UNLIMITED_TIMES;
    }
  }

  private final LongSupplier nanos;

  /** Faults in the order in which they were added. Guarded by this. */
  private final List<ActiveFault> activeFaults = new ArrayList<>();

  /**
   * Latch that hanging requests wait for. {@link #clear} opens and replaces it. Guarded by this.
   */
  private CountDownLatch clearLatch = new CountDownLatch(1);

  ActiveFaults(LongSupplier nanos) {
    this.nanos = nanos;
  }

  /**
   * Adds a fault.
   *
   * @param times number of requests that the fault affects; those with an empty body don't count
   */
  synchronized void add(HecFault fault, Set<HecRequest.Target> targets, int times, Duration time) {
    activeFaults.add(
        new ActiveFault(
            fault, targets, new AtomicInteger(times), nanos.getAsLong() + time.toNanos()));
  }

  /** Ends all faults, and closes the connections of hanging requests. */
  public synchronized void clear() {
    activeFaults.clear();
    clearLatch.countDown();
    clearLatch = new CountDownLatch(1);
  }

  /** Returns a line for each active fault. */
  public synchronized List<String> describe() {
    long now = nanos.getAsLong();
    return activeFaults.stream()
        .filter(active -> now - active.untilNanos < 0)
        .map(
            active ->
                active.fault + (active.isCounted() ? " for " + active.times + " requests" : ""))
        .toList();
  }

  /**
   * Returns the faults of one request, and counts the request.
   *
   * @param isTokenTest whether the request has an empty body. Such a request does not count, and
   *     only faults without a number of requests apply.
   */
  synchronized List<HecFault> of(HecRequest.Target target, boolean isTokenTest) {
    long now = nanos.getAsLong();
    activeFaults.removeIf(active -> now - active.untilNanos >= 0);
    List<ActiveFault> affectingFaults =
        activeFaults.stream()
            .filter(
                active -> active.targets.contains(target) && !(isTokenTest && active.isCounted()))
            .toList();
    activeFaults.removeIf(
        active ->
            active.isCounted()
                && affectingFaults.contains(active)
                && active.times.decrementAndGet() == 0);
    return affectingFaults.stream().map(ActiveFault::fault).toList();
  }

  /** Waits until all faults are cleared, or the time is over. */
  void hang(Duration maxTime) {
    CountDownLatch latch;
    synchronized (this) {
      latch = clearLatch;
    }
    try {
      boolean isCleared = latch.await(maxTime.toNanos(), TimeUnit.NANOSECONDS);
      assert isCleared || !maxTime.isZero();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
