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
 * Adds up the messages that one node lost before its shim got them, from the shim's heartbeats.
 * Thread-safe; the lock is the object itself.
 */
public final class NodeLosses {
  /**
   * Age at which sums are deleted. Longer than any report's time span: the longest window of a
   * week, its periods, and a day.
   */
  private static final Duration MAX_AGE = Duration.ofDays(10);

  private static final long MILLIS_PER_MINUTE = Duration.ofMinutes(1).toMillis();

  /** Limit of remembered shims of one node. Usually one runs, sometimes two. */
  private static final int MAX_SHIMS = 8;

  /** The last reported losses of each shim, counted from the shim's start. */
  private final Map<String, Losses> lossesByShim =
      new LinkedHashMap<>() {
        @Override
        protected boolean removeEldestEntry(Map.Entry<String, Losses> eldest) {
          return size() > MAX_SHIMS;
        }
      };

  /**
   * The only shim that is counted, because several shims of one node would report the same losses.
   */
  private @Nullable String countedShim;

  private long lastSeenMillis;
  private Losses sum = Losses.NONE_KNOWN;

  /** The sums at the end of each minute in which they changed. */
  private final TreeMap<Long, Losses> sumByMinute = new TreeMap<>();

  /**
   * Called when a heartbeat was seen, in any order and any number of times. A shim's first
   * heartbeat only sets the baseline, because earlier losses may be old.
   */
  synchronized void seen(Heartbeat heartbeat, long atMillis) {
    Losses now = heartbeat.report().losses();
    Losses before = lossesByShim.getOrDefault(heartbeat.process(), Losses.NONE_KNOWN);
    Losses later =
        new Losses(
            Math.max(before.dropped(), now.dropped()),
            Math.max(before.discarded(), now.discarded()));
    lossesByShim.put(heartbeat.process(), later);
    long patienceMillis = Heartbeat.PATIENCE * heartbeat.intervalMillis();
    if (countedShim == null || Math.abs(atMillis - lastSeenMillis) > patienceMillis) {
      countedShim = heartbeat.process();
    }
    if (!heartbeat.process().equals(countedShim)) {
      return;
    }
    lastSeenMillis = atMillis;
    Losses added =
        new Losses(
            plus(sum.dropped(), before.dropped(), later.dropped()),
            plus(sum.discarded(), before.discarded(), later.discarded()));
    if (!added.equals(sum)) {
      sum = added;
      long minute = atMillis / MILLIS_PER_MINUTE;
      sumByMinute.tailMap(minute).clear(); // after a clock was set back
      sumByMinute.put(minute, sum);
      long kept = minute - MAX_AGE.toMinutes();
      while (sumByMinute.size() > 1 && sumByMinute.higherKey(sumByMinute.firstKey()) <= kept) {
        sumByMinute.pollFirstEntry();
      }
    }
  }

  private static long plus(long sum, long before, long now) {
    if (now < 0) {
      return sum;
    }
    return before < 0 ? Math.max(0, sum) : sum + now - before;
  }

  /** Returns the node's losses since this bridge started. */
  public synchronized Losses sum() {
    return sum;
  }

  /**
   * Returns the node's losses in a period, whose first and last minutes count as a whole. Excludes
   * losses before this bridge started, which are unknown.
   */
  public synchronized Losses between(Instant from, Instant until) {
    Losses before = atEndOf(minute(from) - 1);
    Losses after = atEndOf(minute(until));
    return new Losses(
        minus(after.dropped(), before.dropped()), minus(after.discarded(), before.discarded()));
  }

  private static long minute(Instant time) {
    return time.toEpochMilli() / MILLIS_PER_MINUTE;
  }

  private Losses atEndOf(long minute) {
    Map.Entry<Long, Losses> entry = sumByMinute.floorEntry(minute);
    return entry == null ? Losses.NONE_KNOWN : entry.getValue();
  }

  private static long minus(long after, long before) {
    return after < 0 ? Losses.UNKNOWN : Math.max(0, after - Math.max(0, before));
  }
}
