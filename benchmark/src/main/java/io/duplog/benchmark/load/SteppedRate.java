package io.duplog.benchmark.load;

/**
 * A rate that is given anew while messages leave, whatever becomes of them; before the first time,
 * as fast as they are taken. Any thread.
 */
public final class SteppedRate implements Pace {
  private static final double NANOS_A_SECOND = 1e9;

  private final Pace before;
  private volatile Step step = new Step(0, 0, Double.NaN);

  /** Since when how fast, and from which number on. */
  private record Step(long sinceNanos, long from, double perSecond) {
    long allowed(long nowNanos) {
      return from + (long) ((nowNanos - sinceNanos) / NANOS_A_SECOND * perSecond);
    }
  }

  /**
   * @param before what holds until a rate is given
   */
  public SteppedRate(Flood before) {
    this.before = before;
  }

  /**
   * From now on so fast.
   *
   * @param perSecond messages of each stream; 0 for none
   * @param sent how many have left
   */
  public void set(double perSecond, long sent) {
    set(perSecond, sent, System.nanoTime());
  }

  void set(double perSecond, long sent, long nowNanos) {
    step = new Step(nowNanos, sent, perSecond);
  }

  @Override
  public long allowed(long sentByAll) {
    return allowed(sentByAll, System.nanoTime());
  }

  long allowed(long sentByAll, long nowNanos) {
    Step current = step;
    return Double.isNaN(current.perSecond())
        ? before.allowed(sentByAll)
        : current.allowed(nowNanos);
  }
}
