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

/** All faults that are switched on; several may be on at the same time. Thread-safe. */
public final class ActiveFaults {
  static final int WITHOUT_END = Integer.MAX_VALUE;
  static final Duration FOREVER = Duration.ofDays(365);

  /**
   * A fault that is switched on.
   *
   * @param times number of requests that the fault will still hit
   * @param untilNanos end of the fault, by the clock
   */
  private record Active(
      HecFault fault, Set<HecRequest.Target> targets, AtomicInteger times, long untilNanos) {
    boolean isCounted() {
      return times.get() != WITHOUT_END;
    }
  }

  private final LongSupplier nanos;

  /** Faults in the order in which they were added. Guarded by this. */
  private final List<Active> activeFaults = new ArrayList<>();

  /**
   * Latch that hanging requests wait for; {@link #clear} opens and replaces it. Guarded by this.
   */
  private CountDownLatch hanging = new CountDownLatch(1);

  ActiveFaults(LongSupplier nanos) {
    this.nanos = nanos;
  }

  /**
   * Switches a fault on.
   *
   * @param times number of requests that the fault hits; those with an empty body don't count
   */
  synchronized void add(HecFault fault, Set<HecRequest.Target> targets, int times, Duration time) {
    activeFaults.add(
        new Active(fault, targets, new AtomicInteger(times), nanos.getAsLong() + time.toNanos()));
  }

  /** Ends all faults, and closes the connections of hanging requests. */
  public synchronized void clear() {
    activeFaults.clear();
    hanging.countDown();
    hanging = new CountDownLatch(1);
  }

  /** Returns a line for each fault that is still on. */
  public synchronized List<String> describe() {
    long now = nanos.getAsLong();
    return activeFaults.stream()
        .filter(one -> now - one.untilNanos < 0)
        .map(one -> one.fault + (one.isCounted() ? " for " + one.times + " requests" : ""))
        .toList();
  }

  /**
   * Returns the faults of one request, and counts the request.
   *
   * @param trial whether the request has an empty body, so that it does not count, and only faults
   *     without a number of requests apply
   */
  synchronized List<HecFault> of(HecRequest.Target target, boolean trial) {
    long now = nanos.getAsLong();
    activeFaults.removeIf(one -> now - one.untilNanos >= 0);
    List<Active> concerned =
        activeFaults.stream()
            .filter(one -> one.targets.contains(target) && !(trial && one.isCounted()))
            .toList();
    activeFaults.removeIf(
        one -> one.isCounted() && concerned.contains(one) && one.times.decrementAndGet() == 0);
    return concerned.stream().map(Active::fault).toList();
  }

  /** Waits until all faults are cleared, or the time is over. */
  void hang(Duration atMost) {
    CountDownLatch latch;
    synchronized (this) {
      latch = hanging;
    }
    try {
      boolean cleared = latch.await(atMost.toNanos(), TimeUnit.NANOSECONDS);
      assert cleared || !atMost.isZero();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
