package io.duplog.coverage;

import io.duplog.dedup.Sightings;
import java.time.Duration;

/**
 * Converts between times, generations and periods. A <em>generation</em>, in which the ledger tells
 * when a digest was first seen, is a sixteenth of the window. A <em>period</em>, in which messages
 * are counted, is as long as a generation, but at least twenty seconds. So a loss is told within a
 * minute after the window, with windows of up to a quarter of an hour. All times are of the store's
 * clock.
 */
record Periods(long windowMillis, long lengthMillis) {
  private static final long SHORTEST_MILLIS = 20_000;
  private static final long MILLIS_A_HOUR = Duration.ofHours(1).toMillis();

  /** Milliseconds that a bridge may take to count a batch after the ledger's answer. */
  private static final long SLACK_MILLIS = 2_000;

  Periods(Duration window) {
    this(window, SHORTEST_MILLIS);
  }

  Periods(Duration window, long shortestMillis) {
    this(
        window.toMillis(),
        Math.max(-Math.floorDiv(-window.toMillis(), Sightings.REMEMBERED), shortestMillis));
  }

  /** Returns the number of the period that counts messages first seen in this generation. */
  long ofGeneration(long generation) {
    return Math.floorDiv(generation * windowMillis, Sightings.REMEMBERED * lengthMillis);
  }

  /** Returns the number of the period that contains a time of the store's clock in milliseconds. */
  long at(long millis) {
    return Math.floorDiv(millis, lengthMillis);
  }

  /** Returns the number of periods that are as long as a time, or longer; one at least. */
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
    return Math.floorDiv(startMillis(period), MILLIS_A_HOUR);
  }

  /** Returns the start, in milliseconds, of the hour with this number (see {@link #hourOf}). */
  static long hourStartMillis(long hour) {
    return hour * MILLIS_A_HOUR;
  }

  /**
   * Returns the time from which on nothing is attributed to a period any more, not even by late
   * answers.
   */
  long dueMillis(long period) {
    long end = Sightings.REMEMBERED * endMillis(period);
    long lastGeneration = -Math.floorDiv(-end, windowMillis) - 1;
    // Digests live for a window. Digests that were first seen at the very end live for one more
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
