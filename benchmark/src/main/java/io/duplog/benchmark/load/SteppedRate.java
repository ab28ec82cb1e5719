package io.duplog.benchmark.load;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.LongSupplier;

/**
 * A rate that can be changed while messages leave; until the first change, messages leave as fast
 * as they are accepted. Thread-safe.
 */
public final class SteppedRate implements Pace {
  private static final double NANOS_A_SECOND = 1e9;

  private final Pace before;
  private final LongSupplier nanoClock;

  /** All rates in the order in which they were set; the last one applies now. */
  private final List<Step> steps = new CopyOnWriteArrayList<>();

  /**
   * A rate in messages a second, and the time and the message number from which the rate applies.
   */
  private record Step(long sinceNanos, long from, double perSecond) {}

  /**
   * Starts without a rate.
   *
   * @param before pace until a rate is set
   */
  public SteppedRate(Flood before) {
    this(before, System::nanoTime);
  }

  SteppedRate(Flood before, LongSupplier nanoClock) {
    this.before = before;
    this.nanoClock = nanoClock;
  }

  /**
   * Sets the rate from now on.
   *
   * @param perSecond messages of each stream a second; 0 for none
   * @param sent number of messages that have left
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
