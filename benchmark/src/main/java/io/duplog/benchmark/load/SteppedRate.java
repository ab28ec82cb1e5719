package io.duplog.benchmark.load;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.LongSupplier;

/**
 * A rate that is given anew while messages leave, whatever becomes of them; before the first time,
 * as fast as they are taken. Any thread.
 */
public final class SteppedRate implements Pace {
  private static final double NANOS_A_SECOND = 1e9;

  private final Pace before;
  private final LongSupplier nanoClock;

  /** In the order in which they were given, of which the last holds. */
  private final List<Step> steps = new CopyOnWriteArrayList<>();

  /** Since when how fast, and from which number on. */
  private record Step(long sinceNanos, long from, double perSecond) {}

  /**
   * @param before what holds until a rate is given
   */
  public SteppedRate(Flood before) {
    this(before, System::nanoTime);
  }

  SteppedRate(Flood before, LongSupplier nanoClock) {
    this.before = before;
    this.nanoClock = nanoClock;
  }

  /**
   * From now on so fast.
   *
   * @param perSecond messages of each stream; 0 for none
   * @param sent how many have left
   */
  public void set(double perSecond, long sent) {
    steps.add(new Step(nanoClock.getAsLong(), sent, perSecond));
  }

  @Override
  public long allowed(long sentByAll) {
    if (steps.isEmpty()) {
      return before.allowed(sentByAll);
    }
    Step now = steps.get(steps.size() - 1);
    return now.from
        + (long) ((nanoClock.getAsLong() - now.sinceNanos) / NANOS_A_SECOND * now.perSecond);
  }

  @Override
  public long dueNanos(long serial) {
    for (int i = steps.size() - 1; i >= 0; i--) {
      Step step = steps.get(i);
      if (step.from <= serial && step.perSecond > 0) {
        double seconds = (serial - step.from + 1) / step.perSecond;
        return step.sinceNanos + (long) Math.ceil(seconds * NANOS_A_SECOND);
      }
    }
    return -1;
  }
}
