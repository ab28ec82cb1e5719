package io.duplog.coverage;

import io.duplog.dedup.Sightings;
import java.time.Duration;

/**
 * The arithmetic of time. A <em>generation</em>, in which the ledger tells when a digest was first
 * seen, is a part of the window; a <em>period</em>, in which messages are counted, is a generation
 * or, where those are short, twenty seconds. So a loss is told within a minute after the window,
 * with windows of up to a quarter of an hour. All times are of the store's clock.
 */
record Periods(long windowMillis, long lengthMillis) {
  private static final long SHORTEST_MILLIS = 20_000;
  private static final long MILLIS_A_HOUR = Duration.ofHours(1).toMillis();

  /** An answer of the ledger may be on its way for so long before it is tallied. */
  private static final long SLACK_MILLIS = 2_000;

  Periods(Duration window) {
    this(window, SHORTEST_MILLIS);
  }

  Periods(Duration window, long shortestMillis) {
    this(
        window.toMillis(),
        Math.max(-Math.floorDiv(-window.toMillis(), Sightings.REMEMBERED), shortestMillis));
  }

  /** The period of what was first seen in a generation. */
  long ofGeneration(long generation) {
    return Math.floorDiv(generation * windowMillis, Sightings.REMEMBERED * lengthMillis);
  }

  /** The period of a time. */
  long at(long millis) {
    return Math.floorDiv(millis, lengthMillis);
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

  /** When the hour, a number as {@link #hourOf} gives it, begins. */
  static long hourStartMillis(long hour) {
    return hour * MILLIS_A_HOUR;
  }

  /** From when on nothing is attributed to a period any more, answers on their way included. */
  long dueMillis(long period) {
    long end = Sightings.REMEMBERED * endMillis(period);
    long lastGeneration = -Math.floorDiv(-end, windowMillis) - 1;
    // Its digests live for a window; those first seen at its very end, until one generation later.
    long over = lastGeneration + Sightings.REMEMBERED + 1;
    return -Math.floorDiv(-over * windowMillis, Sightings.REMEMBERED) + SLACK_MILLIS;
  }

  /** The last period that is due by a time. */
  long lastDue(long millis) {
    long period = at(millis);
    while (dueMillis(period) > millis) {
      period--;
    }
    return period;
  }
}
