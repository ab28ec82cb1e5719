package io.duplog.benchmark.hec;

import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.LongSupplier;

/** The faults that are switched on. Several may be at once. Any thread. */
public final class ActiveFaults {
  private static final int WITHOUT_END = Integer.MAX_VALUE;
  static final Duration FOREVER = Duration.ofDays(365);

  /** What a request asks for. */
  public enum Target {
    EVENTS,
    ACKS,
    HEALTH
  }

  /**
   * One of them.
   *
   * @param times how many requests are left for it
   */
  private record Active(HecFault fault, Set<Target> targets, AtomicInteger times, long untilNanos) {
    boolean isCounted() {
      return times.get() != WITHOUT_END;
    }
  }

  private final LongSupplier nanos;

  /** Guarded by this. */
  private final List<Active> active = new ArrayList<>();

  /** Open while requests hang. Guarded by this. */
  private CountDownLatch hanging = new CountDownLatch(1);

  ActiveFaults(LongSupplier nanos) {
    this.nanos = nanos;
  }

  /** For every request until {@link #clear}. */
  public void always(HecFault fault) {
    add(fault, EnumSet.allOf(Target.class), WITHOUT_END, FOREVER);
  }

  /** For the next so many requests with events. Those without a body don't count. */
  public void next(int times, HecFault fault) {
    add(fault, EnumSet.of(Target.EVENTS), times, FOREVER);
  }

  synchronized void add(HecFault fault, Set<Target> targets, int times, Duration time) {
    active.add(
        new Active(fault, targets, new AtomicInteger(times), nanos.getAsLong() + time.toNanos()));
  }

  /** Nothing goes wrong from now on. Requests that hang are cut. */
  public synchronized void clear() {
    active.clear();
    hanging.countDown();
    hanging = new CountDownLatch(1);
  }

  /** The faults that are left, in words. */
  public synchronized List<String> describe() {
    long now = nanos.getAsLong();
    return active.stream()
        .filter(one -> now - one.untilNanos < 0)
        .map(one -> one.fault + (one.isCounted() ? " for " + one.times + " requests" : ""))
        .toList();
  }

  /**
   * What is to go wrong with this request; counts it.
   *
   * @param trial whether it is none of those that count: only what has no number concerns it
   */
  synchronized List<HecFault> of(Target target, boolean trial) {
    long now = nanos.getAsLong();
    active.removeIf(one -> now - one.untilNanos >= 0);
    List<Active> concerned =
        active.stream()
            .filter(one -> one.targets.contains(target) && !(trial && one.isCounted()))
            .toList();
    active.removeIf(
        one -> one.isCounted() && concerned.contains(one) && one.times.decrementAndGet() == 0);
    return concerned.stream().map(Active::fault).toList();
  }

  /** Returns when the faults are cleared, or the time is over. */
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
