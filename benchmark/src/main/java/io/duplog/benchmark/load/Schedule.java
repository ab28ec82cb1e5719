package io.duplog.benchmark.load;

import java.time.Duration;
import java.util.Arrays;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;

/**
 * An open loop, in which each message has a fixed time to leave. A slow receiver does not reduce
 * the load, and the delay that it causes is measured.
 */
public final class Schedule implements Pace {
  private static final long SLOT_NANOS = TimeUnit.MILLISECONDS.toNanos(1);
  private static final double SLOTS_A_SECOND = 1000;

  private static final int LEVEL_MILLIS = 500;
  private static final int PEAK_MILLIS = 100;
  private static final int[] LEVELS = {1, 2, 7};
  private static final int PEAK = 10;
  private static final int ONE_IN = 5;

  /** Total number of messages that are due by the end of each millisecond of the schedule. */
  private final long[] due;

  private volatile long startNanos;

  /**
   * Makes a schedule that changes at random every half second between three levels in the ratio 1 :
   * 2 : 7. Within the highest level, every fifth tenth of a second is a peak.
   *
   * @param peak messages a second in a peak; the levels are 1, 2 and 7 tenths of that
   * @param duration time after which no message is due
   * @param seed seed of the random choices; the same seed gives the same schedule
   */
  public Schedule(double peak, Duration duration, long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    due = new long[Math.toIntExact(Math.max(1, duration.toMillis()))];
    double sum = 0;
    for (int first = 0; first < due.length; first += LEVEL_MILLIS) {
      int level = LEVELS[random.nextInt(LEVELS.length)];
      for (int slot = first; slot < Math.min(due.length, first + LEVEL_MILLIS); slot++) {
        boolean isPeak = level == 7 && slot / PEAK_MILLIS % ONE_IN == 0;
        sum += peak * (isPeak ? PEAK : level) / PEAK;
        due[slot] = (long) (sum / SLOTS_A_SECOND); // divided last, so whole rates stay exact
      }
    }
  }

  @Override
  public void begin() {
    startNanos = System.nanoTime();
  }

  @Override
  public long allowed(long sentByAll) {
    return dueBy(System.nanoTime() - startNanos);
  }

  /**
   * Returns how many messages are due at a time.
   *
   * @param elapsedNanos time since the start
   */
  long dueBy(long elapsedNanos) {
    int slot = (int) Math.min(elapsedNanos / SLOT_NANOS, due.length);
    if (slot == due.length) {
      return due[due.length - 1];
    }
    long before = slot == 0 ? 0 : due[slot - 1];
    return before + (due[slot] - before) * (elapsedNanos % SLOT_NANOS) / SLOT_NANOS;
  }

  @Override
  public long dueNanos(long serial) {
    int found = Arrays.binarySearch(due, serial + 1);
    int slot = found >= 0 ? found : -found - 1;
    while (slot > 0 && due[slot - 1] > serial) {
      slot--;
    }
    if (slot >= due.length) {
      return startNanos + due.length * SLOT_NANOS;
    }
    long before = slot == 0 ? 0 : due[slot - 1];
    // The first moment at which dueBy counts the message, so that no message seems late from the
    // start.
    long inSlot = due[slot] - before;
    return startNanos
        + slot * SLOT_NANOS
        + ((serial - before + 1) * SLOT_NANOS + inSlot - 1) / inSlot;
  }

  /** Returns the total number of messages. */
  public long messages() {
    return due[due.length - 1];
  }
}
