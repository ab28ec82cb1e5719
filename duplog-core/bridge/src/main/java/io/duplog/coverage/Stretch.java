package io.duplog.coverage;

import io.duplog.dedup.Tallies;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * The span of time for which the counts of one part of the ledger are complete.
 *
 * @param fromMillis end of the first window of the part's era
 * @param last the last complete period
 * @param storeAheadMillis the store's clock minus this host's clock, in milliseconds
 */
record Stretch(long fromMillis, long last, long storeAheadMillis) {

  /**
   * Returns the stretch of a part.
   *
   * @param state the store's answer up to which the sums are complete for the part, or null if they
   *     contain nothing from the part
   * @return the stretch, or null if it would be empty
   */
  static @Nullable Stretch of(
      Tallies.@Nullable State state, long storeAheadMillis, Periods periods) {
    if (state == null) {
      return null;
    }
    long last = lastOf(state, periods);
    long from = state.beganMillis() + periods.windowMillis();
    return periods.endMillis(last) <= from ? null : new Stretch(from, last, storeAheadMillis);
  }

  /** Returns the last period that was completely settled when the store gave this answer. */
  static long lastOf(Tallies.State state, Periods periods) {
    long last = periods.lastDue(Math.min(state.nowMillis(), state.countedUntil()));
    return state.oldest() == Tallies.NO_PERIOD ? last : Math.min(last, state.oldest() - 1);
  }

  /** Converts a time on the store's clock, in milliseconds, to one on this host's clock. */
  Instant instant(long storeMillis) {
    return Instant.ofEpochMilli(storeMillis - storeAheadMillis);
  }

  /** Whether this stretch contains the other one. The other's first period may be missing. */
  boolean covers(long othersFrom, long othersLast, Periods periods) {
    return fromMillis - othersFrom <= periods.lengthMillis() && last >= othersLast;
  }

  /** Returns the overlap of this stretch with the other stretch, as an entry of a report. */
  CoverageReport.Partial within(int part, long othersFrom, long othersLast, Periods periods) {
    long from = Math.max(fromMillis, othersFrom);
    long until = periods.endMillis(Math.min(last, othersLast));
    return from < until
        ? new CoverageReport.Partial(part, instant(from), instant(until))
        : new CoverageReport.Partial(part, null, null);
  }
}
