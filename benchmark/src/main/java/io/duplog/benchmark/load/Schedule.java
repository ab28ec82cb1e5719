package io.duplog.benchmark.load;

import java.time.Duration;
import java.util.Arrays;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;

/**
 * Sets a fixed time for sending each message, so that a slow receiver does not reduce the load and
 * its delay is measured. Thread-safe.
 */
public final class Schedule implements Pace {
  private static final long SLOT_NANOS = TimeUnit.MILLISECONDS.toNanos(1);
  private static final double SLOTS_PER_SECOND = 1000;

  private static final int LEVEL_MILLIS = 500;
  private static final int PEAK_MILLIS = 100;
  private static final int[] LEVELS = {1, 2, 7};
  private static final int PEAK_LEVEL = 10;
  private static final int PEAK_INTERVAL = 5;

  /** Total number of messages that are due by the end of each millisecond of the schedule. */
  private final long[] dueMessagesBySlot;

  private volatile long startNanos;

  /**
   * Creates a schedule that changes at random every half second between three levels in the ratio 1
   * : 2 : 7. Within the highest level, every fifth tenth of a second is a peak.
   *
   * @param peakPerSecond messages per second in a peak; the levels are 1, 2 and 7 tenths of that
   *     rate
   * @param duration time after which no message is due
   * @param seed seed of the random choices; the same seed gives the same schedule
   */
  public Schedule(double peakPerSecond, Duration duration, long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    dueMessagesBySlot = new long[Math.toIntExact(Math.max(1, duration.toMillis()))];
    double totalDue = 0;
    for (int first = 0; first < dueMessagesBySlot.length; first += LEVEL_MILLIS) {
      int level = LEVELS[random.nextInt(LEVELS.length)];
      for (int slot = first;
          slot < Math.min(dueMessagesBySlot.length, first + LEVEL_MILLIS);
          slot++) {
        boolean isPeak = level == 7 && slot / PEAK_MILLIS % PEAK_INTERVAL == 0;
        totalDue += peakPerSecond * (isPeak ? PEAK_LEVEL : level) / PEAK_LEVEL;
        dueMessagesBySlot[slot] =
            (long)
                (totalDue
                    / SLOTS_PER_SECOND); // The division comes last, so whole rates stay exact.
      }
    }
  }

  @Override
  public void begin() {
    startNanos = System.nanoTime();
  }

  @Override
  public long allowed(long sentByAll) {
    return dueMessages(System.nanoTime() - startNanos);
  }

  /**
   * Returns how many messages are due at a time.
   *
   * @param elapsedNanos time since the start
   */
  long dueMessages(long elapsedNanos) {
    int slot = (int) Math.min(elapsedNanos / SLOT_NANOS, dueMessagesBySlot.length);
    if (slot == dueMessagesBySlot.length) {
      return dueMessagesBySlot[dueMessagesBySlot.length - 1];
    }
    long prefix = slot == 0 ? 0 : dueMessagesBySlot[slot - 1];
    return prefix + (dueMessagesBySlot[slot] - prefix) * (elapsedNanos % SLOT_NANOS) / SLOT_NANOS;
  }

  @Override
  public long dueNanos(long serial) {
    int searchResult = Arrays.binarySearch(dueMessagesBySlot, serial + 1);
    int slot = searchResult >= 0 ? searchResult : -searchResult - 1;
    while (slot > 0 && dueMessagesBySlot[slot - 1] > serial) {
      slot--;
    }
    if (slot >= dueMessagesBySlot.length) {
      return startNanos + dueMessagesBySlot.length * SLOT_NANOS;
    }
    long prefix = slot == 0 ? 0 : dueMessagesBySlot[slot - 1];
    // The first moment at which dueMessages counts the message. An earlier time would make every
    // message late.
    long dueInSlot = dueMessagesBySlot[slot] - prefix;
    return startNanos
        + slot * SLOT_NANOS
        + ((serial - prefix + 1) * SLOT_NANOS + dueInSlot - 1) / dueInSlot;
  }

  /** Returns the total number of messages. */
  public long messages() {
    return dueMessagesBySlot[dueMessagesBySlot.length - 1];
  }
}
