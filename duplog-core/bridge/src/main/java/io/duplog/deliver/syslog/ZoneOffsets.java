package io.duplog.deliver.syslog;

import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.zone.ZoneOffsetTransition;
import java.time.zone.ZoneRules;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Converts the local time of a time zone to UTC, fast and without allocating memory. All changes of
 * the zone's clocks from 1970 to 2100 are looked up once; earlier and later times get the nearest
 * offset. Immutable.
 */
final class ZoneOffsets {
  private static final Instant FIRST = Instant.parse("1970-01-01T00:00:00Z");
  private static final Instant LAST = Instant.parse("2100-01-01T00:00:00Z");

  /**
   * For each change of the clocks, the earlier of the local times before and after it, in
   * milliseconds.
   */
  private final long[] changeBegins;

  /**
   * For each change of the clocks, the later of the local times before and after it, in
   * milliseconds.
   */
  private final long[] changeEnds;

  /**
   * Offsets from UTC in milliseconds; {@code offsets[i]} applies before change i, the next element
   * after it.
   */
  private final long[] offsets;

  ZoneOffsets(ZoneId zone) {
    ZoneRules rules = zone.getRules();
    List<ZoneOffsetTransition> found = new ArrayList<>();
    ZoneOffsetTransition next = rules.nextTransition(FIRST);
    while (next != null && next.getInstant().isBefore(LAST)) {
      found.add(next);
      next = rules.nextTransition(next.getInstant());
    }
    changeBegins = new long[found.size()];
    changeEnds = new long[found.size()];
    offsets = new long[found.size() + 1];
    offsets[0] = millis(rules.getOffset(FIRST));
    for (int i = 0; i < changeBegins.length; i++) {
      long before = found.get(i).getDateTimeBefore().toEpochSecond(ZoneOffset.UTC) * 1000;
      long after = found.get(i).getDateTimeAfter().toEpochSecond(ZoneOffset.UTC) * 1000;
      changeBegins[i] = Math.min(before, after);
      changeEnds[i] = Math.max(before, after);
      offsets[i + 1] = millis(found.get(i).getOffsetAfter());
    }
  }

  /**
   * Returns a time in milliseconds since the epoch.
   *
   * @param localMillis what the clock shows, counted as if it showed UTC. A time in a gap is
   *     converted by the offset before it.
   * @param nearMillis decides between the two times that a clock set back can mean: the nearer one
   */
  long toEpochMillis(long localMillis, long nearMillis) {
    int found = Arrays.binarySearch(changeBegins, localMillis);
    int change = found >= 0 ? found : -found - 2;
    if (change < 0) {
      return localMillis - offsets[0];
    }
    long before = localMillis - offsets[change];
    long after = localMillis - offsets[change + 1];
    if (localMillis >= changeEnds[change]) {
      return after;
    }
    boolean gap = offsets[change + 1] > offsets[change];
    return gap || Math.abs(before - nearMillis) <= Math.abs(after - nearMillis) ? before : after;
  }

  private static long millis(ZoneOffset offset) {
    return offset.getTotalSeconds() * 1000L;
  }
}
