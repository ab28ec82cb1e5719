package io.duplog.lag;

import io.duplog.wire.Heartbeat;
import io.duplog.wire.Heartbeat.Losses;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Adds up what one node has lost before its shim, as its heartbeats report. Safe for any thread;
 * the lock is the object itself.
 */
public final class NodeLosses {
  /** Longer than a report looks back: the longest window of a week, its periods, and a day. */
  private static final Duration KEPT = Duration.ofDays(10);

  private static final long MILLIS_A_MINUTE = Duration.ofMinutes(1).toMillis();

  /** Shims of one node whose last numbers are remembered; usually one runs, now and then two. */
  private static final int SHIMS = 8;

  /** The last numbers of each shim, each of which counts from its own start. */
  private final Map<String, Losses> shims =
      new LinkedHashMap<>() {
        @Override
        protected boolean removeEldestEntry(Map.Entry<String, Losses> eldest) {
          return size() > SHIMS;
        }
      };

  /** The shim that is counted, because several of one node would count the same losses. */
  private @Nullable String countedShim;

  private long countedMillis;
  private Losses sum = Losses.NONE_KNOWN;

  /** The sums at the end of each minute in which they changed. */
  private final TreeMap<Long, Losses> byMinute = new TreeMap<>();

  /**
   * Called when a heartbeat was seen, in any order and any number of times. A shim's first one
   * tells nothing, because what was lost before it may be old.
   */
  synchronized void seen(Heartbeat heartbeat, long atMillis) {
    Losses now = heartbeat.report().losses();
    Losses before = shims.getOrDefault(heartbeat.process(), Losses.NONE_KNOWN);
    Losses later =
        new Losses(
            Math.max(before.dropped(), now.dropped()),
            Math.max(before.discarded(), now.discarded()));
    shims.put(heartbeat.process(), later);
    long patienceMillis = Heartbeat.PATIENCE * heartbeat.intervalMillis();
    if (countedShim == null || Math.abs(atMillis - countedMillis) > patienceMillis) {
      countedShim = heartbeat.process();
    }
    if (!heartbeat.process().equals(countedShim)) {
      return;
    }
    countedMillis = atMillis;
    Losses added =
        new Losses(
            plus(sum.dropped(), before.dropped(), later.dropped()),
            plus(sum.discarded(), before.discarded(), later.discarded()));
    if (!added.equals(sum)) {
      sum = added;
      long minute = atMillis / MILLIS_A_MINUTE;
      byMinute.tailMap(minute).clear(); // of a clock that was set back
      byMinute.put(minute, sum);
      long kept = minute - KEPT.toMinutes();
      while (byMinute.size() > 1 && byMinute.higherKey(byMinute.firstKey()) <= kept) {
        byMinute.pollFirstEntry();
      }
    }
  }

  private static long plus(long sum, long before, long now) {
    if (now < 0) {
      return sum;
    }
    return before < 0 ? Math.max(0, sum) : sum + now - before;
  }

  /** Returns what the node has lost since this bridge started. */
  public synchronized Losses sum() {
    return sum;
  }

  /**
   * Returns what the node has lost in a stretch of time; the minutes in which it begins and ends
   * count as a whole. What the node lost before this bridge started is not known, and not in it.
   */
  public synchronized Losses between(Instant from, Instant until) {
    Losses before = atEndOf(minute(from) - 1);
    Losses after = atEndOf(minute(until));
    return new Losses(
        minus(after.dropped(), before.dropped()), minus(after.discarded(), before.discarded()));
  }

  private static long minute(Instant time) {
    return time.toEpochMilli() / MILLIS_A_MINUTE;
  }

  private Losses atEndOf(long minute) {
    Map.Entry<Long, Losses> entry = byMinute.floorEntry(minute);
    return entry == null ? Losses.NONE_KNOWN : entry.getValue();
  }

  private static long minus(long after, long before) {
    return after < 0 ? Losses.UNKNOWN : Math.max(0, after - Math.max(0, before));
  }
}
