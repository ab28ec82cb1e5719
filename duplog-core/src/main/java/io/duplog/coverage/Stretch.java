package io.duplog.coverage;

import io.duplog.dedup.Tallies;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * The time for which the messages of a part of the ledger are in the sums, by its store's clock.
 *
 * @param fromMillis when the first window of its era ended
 * @param last the last period of which nothing is missing
 * @param storeAhead the store's clock less this host's, in milliseconds
 */
record Stretch(long fromMillis, long last, long storeAhead) {

  /**
   * Works out a part's.
   *
   * @param added the store's answer up to which the sums have everything of the part; null where
   *     they have nothing
   * @return null where that is no time
   */
  static @Nullable Stretch of(Tallies.@Nullable Added added, long storeAhead, Periods periods) {
    if (added == null) {
      return null;
    }
    long last = lastOf(added, periods);
    long from = added.beganMillis() + periods.windowMillis();
    return periods.endMillis(last) <= from ? null : new Stretch(from, last, storeAhead);
  }

  /** The last period of which nothing is missing in what was settled by an answer of the store. */
  static long lastOf(Tallies.Added added, Periods periods) {
    long last = periods.lastDue(Math.min(added.nowMillis(), added.countedUntil()));
    return added.oldest() == Tallies.NO_PERIOD ? last : Math.min(last, added.oldest() - 1);
  }

  /** A time of the store's clock, by this host's. */
  Instant instant(long storeMillis) {
    return Instant.ofEpochMilli(storeMillis - storeAhead);
  }

  /** Whether it has all of another stretch, but for a period at its beginning. */
  boolean covers(long othersFrom, long othersLast, Periods periods) {
    return fromMillis - othersFrom <= periods.lengthMillis() && last >= othersLast;
  }

  /** As much as it has of another stretch. */
  CoverageReport.Partial within(int part, long othersFrom, long othersLast, Periods periods) {
    long from = Math.max(fromMillis, othersFrom);
    long until = periods.endMillis(Math.min(last, othersLast));
    return from < until
        ? new CoverageReport.Partial(part, instant(from), instant(until))
        : new CoverageReport.Partial(part, null, null);
  }
}
