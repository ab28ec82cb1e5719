package io.duplog.benchmark.load;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.LongSupplier;

/**
 * Lets senders send at a rate that a measurement changes from step to step. Until the first change,
 * messages are sent as fast as they are accepted. Thread-safe.
 */
public final class SteppedRate implements Pace {
  private static final double NANOS_PER_SECOND = 1e9;

  private final Pace initialPace;
  private final LongSupplier nanoClock;

  /** All rates in the order in which they were set. The last one applies now. */
  private final List<Step> steps = new CopyOnWriteArrayList<>();

  /** A rate in messages per second, with the time and the message number from which it applies. */
  private record Step(long sinceNanos, long firstSerial, double perSecond) {}

  /**
   * Creates a pace without a rate.
   *
   * @param initialPace pace until a rate is set
   */
  public SteppedRate(Flood initialPace) {
    this(initialPace, System::nanoTime);
  }

  SteppedRate(Flood initialPace, LongSupplier nanoClock) {
    this.initialPace = initialPace;
    this.nanoClock = nanoClock;
  }

  /**
   * Sets the rate from now on.
   *
   * @param perSecond messages of each stream per second; 0 for none
   * @param sent number of messages that have been sent
   */
  public void set(double perSecond, long sent) {
    steps.add(new Step(nanoClock.getAsLong(), sent, perSecond));
  }

  @Override
  public long allowed(long sentByAll) {
    if (steps.isEmpty()) {
      return initialPace.allowed(sentByAll);
    }
    Step current = steps.get(steps.size() - 1);
    return current.firstSerial
        + (long)
            ((nanoClock.getAsLong() - current.sinceNanos) / NANOS_PER_SECOND * current.perSecond);
  }

  @Override
  public long dueNanos(long serial) {
    for (int i = steps.size() - 1; i >= 0; i--) {
      Step step = steps.get(i);
      if (step.firstSerial <= serial && step.perSecond > 0) {
        double seconds = (serial - step.firstSerial + 1) / step.perSecond;
        return step.sinceNanos + (long) Math.ceil(seconds * NANOS_PER_SECOND);
      }
    }
    return -1;
  }
}
