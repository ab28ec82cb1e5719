package io.duplog.benchmark.hec;

import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.Iterator;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/** The faults that are switched on. Several may be at once. Any thread. */
public final class ActiveFaults {
  private static final int WITHOUT_END = Integer.MAX_VALUE;
  private static final Duration FOREVER = Duration.ofDays(365);

  /** What a request asks for. */
  public enum Target {
    EVENTS,
    ACKS,
    HEALTH
  }

  private static final class Active {
    private final HecFault fault;
    private final Set<Target> targets;
    private final long untilNanos;
    private int times;

    Active(HecFault fault, Set<Target> targets, int times, long untilNanos) {
      this.fault = fault;
      this.targets = targets;
      this.times = times;
      this.untilNanos = untilNanos;
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

  /** For every request of this kind until {@link #clear}. */
  public void always(Target target, HecFault fault) {
    add(fault, EnumSet.of(target), WITHOUT_END, FOREVER);
  }

  /** For the next so many requests with events. Those without a body don't count. */
  public void next(int times, HecFault fault) {
    next(Target.EVENTS, times, fault);
  }

  /** For the next so many requests of this kind. */
  public void next(Target target, int times, HecFault fault) {
    add(fault, EnumSet.of(target), times, FOREVER);
  }

  synchronized void add(HecFault fault, Set<Target> targets, int times, Duration time) {
    active.add(new Active(fault, targets, times, nanos.getAsLong() + time.toNanos()));
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
        .map(one -> one.fault + (one.times == WITHOUT_END ? "" : " for " + one.times + " requests"))
        .toList();
  }

  /**
   * What is to go wrong with this request; counts it.
   *
   * @param trial whether it is none of those that count: only what has no number concerns it
   */
  synchronized List<HecFault> of(Target target, boolean trial) {
    long now = nanos.getAsLong();
    List<HecFault> faults = new ArrayList<>();
    for (Iterator<Active> each = active.iterator(); each.hasNext(); ) {
      Active one = each.next();
      if (now - one.untilNanos >= 0) {
        each.remove();
      } else if (one.targets.contains(target) && !(trial && one.times != WITHOUT_END)) {
        faults.add(one.fault);
        if (one.times != WITHOUT_END && --one.times == 0) {
          each.remove();
        }
      }
    }
    return faults;
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

  void hang() {
    hang(FOREVER);
  }
}
