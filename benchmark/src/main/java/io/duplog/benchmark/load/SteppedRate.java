package io.duplog.benchmark.load;

import java.util.function.LongSupplier;

/**
 * A rate that is given anew while messages leave, whatever becomes of them; before the first time,
 * as fast as they are taken. Any thread.
 */
public final class SteppedRate implements Pace {
  private static final double NANOS_A_SECOND = 1e9;

  private final Pace before;
  private final LongSupplier nanoClock;
  private volatile Step step = new Step(0, 0, Double.NaN);

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
    step = new Step(nanoClock.getAsLong(), sent, perSecond);
  }

  @Override
  public long allowed(long sentByAll) {
    Step now = step;
    return Double.isNaN(now.perSecond)
        ? before.allowed(sentByAll)
        : now.from
            + (long) ((nanoClock.getAsLong() - now.sinceNanos) / NANOS_A_SECOND * now.perSecond);
  }
}
