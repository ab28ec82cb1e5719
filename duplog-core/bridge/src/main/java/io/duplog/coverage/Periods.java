package io.duplog.coverage;

import io.duplog.dedup.Sightings;
import java.time.Duration;

/**
 * Calculates which period of time a message is counted in, and when a period is over. A
 * <em>generation</em> is a sixteenth of the window; the ledger remembers in which generation it
 * first saw a digest. A <em>period</em>, for which messages are counted, is as long as a
 * generation, but at least twenty seconds. So a loss is reported within a minute after the window,
 * if the window is at most a quarter of an hour. All times are by the store's clock.
 */
record Periods(long windowMillis, long lengthMillis) {
  private static final long MIN_LENGTH_MILLIS = 20_000;
  private static final long MILLIS_PER_HOUR = Duration.ofHours(1).toMillis();

  /** Milliseconds that a bridge may take to count a batch after the ledger's answer. */
  private static final long SLACK_MILLIS = 2_000;

  Periods(Duration window) {
    this(window, MIN_LENGTH_MILLIS);
  }

  Periods(Duration window, long minLengthMillis) {
    this(
        window.toMillis(),
        Math.max(-Math.floorDiv(-window.toMillis(), Sightings.REMEMBERED), minLengthMillis));
  }

  /** Returns the number of the period to which messages first seen in this generation belong. */
  long ofGeneration(long generation) {
    return Math.floorDiv(generation * windowMillis, Sightings.REMEMBERED * lengthMillis);
  }

  /** Returns the number of the period that contains a time of the store's clock in milliseconds. */
  long at(long millis) {
    return Math.floorDiv(millis, lengthMillis);
  }

  /**
   * Returns the number of periods that are together at least as long as this time; at least one.
   */
  long in(Duration time) {
    return -Math.floorDiv(-time.toMillis(), lengthMillis);
  }

  long startMillis(long period) {
    return period * lengthMillis;
  }

  long endMillis(long period) {
    return (period + 1) * lengthMillis;
  }

  long hourOf(long period) {
    return Math.floorDiv(startMillis(period), MILLIS_PER_HOUR);
  }

  /** Returns the start, in milliseconds, of the hour with this number (see {@link #hourOf}). */
  static long hourStartMillis(long hour) {
    return hour * MILLIS_PER_HOUR;
  }

  /**
   * Returns the time after which no further copy can belong to a period, not even by a late answer.
   */
  long dueMillis(long period) {
    long end = Sightings.REMEMBERED * endMillis(period);
    long lastGeneration = -Math.floorDiv(-end, windowMillis) - 1;
    // The ledger keeps digests for a window, and those first seen at its very end for one more
    // generation.
    long over = lastGeneration + Sightings.REMEMBERED + 1;
    return -Math.floorDiv(-over * windowMillis, Sightings.REMEMBERED) + SLACK_MILLIS;
  }

  /** Returns the last period whose counts can no longer grow at this time in milliseconds. */
  long lastDue(long millis) {
    long period = at(millis);
    while (dueMillis(period) > millis) {
      period--;
    }
    return period;
  }
}
