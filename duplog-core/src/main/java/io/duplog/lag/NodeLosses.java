package io.duplog.lag;

import io.duplog.wire.Heartbeat.Losses;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.TreeMap;

/**
 * What one node has lost before its shim, as its heartbeats told this bridge. Safe for any thread;
 * the lock is the object itself.
 */
public final class NodeLosses {
  /** Longer than a report of coverage looks back, the window included. */
  private static final Duration KEPT = Duration.ofHours(50);

  private static final long MILLIS_A_MINUTE = Duration.ofMinutes(1).toMillis();

  private Losses last = Losses.NONE_KNOWN;
  private Losses sum = Losses.NONE_KNOWN;

  /** The sums at the end of each minute in which they changed. */
  private final TreeMap<Long, Losses> byMinute = new TreeMap<>();

  /**
   * Called when a heartbeat was seen. The first one tells nothing, because what was lost before it
   * may be old.
   */
  synchronized void seen(Losses now, long atMillis) {
    Losses added =
        new Losses(
            plus(sum.dropped(), last.dropped(), now.dropped()),
            plus(sum.discarded(), last.discarded(), now.discarded()));
    last =
        new Losses(
            now.dropped() < 0 ? last.dropped() : now.dropped(),
            now.discarded() < 0 ? last.discarded() : now.discarded());
    if (!added.equals(sum)) {
      sum = added;
      byMinute.put(atMillis / MILLIS_A_MINUTE, sum);
      long kept = (atMillis - KEPT.toMillis()) / MILLIS_A_MINUTE;
      while (byMinute.size() > 1 && byMinute.higherKey(byMinute.firstKey()) <= kept) {
        byMinute.pollFirstEntry();
      }
    }
  }

  /** Returns the sum with what was added; a counter that is lower than before began again at 0. */
  private static long plus(long sum, long before, long now) {
    if (now < 0) {
      return sum;
    }
    return before < 0 ? Math.max(0, sum) : sum + (now < before ? now : now - before);
  }

  /** Returns what the node has lost since this bridge started. */
  public synchronized Losses sum() {
    return sum;
  }

  /**
   * Returns what the node has lost in a stretch of time, to the minute. What it lost before this
   * bridge started is not known, and not in it.
   */
  public synchronized Losses between(Instant from, Instant until) {
    Losses before = at(from);
    Losses after = at(until);
    return new Losses(
        minus(after.dropped(), before.dropped()), minus(after.discarded(), before.discarded()));
  }

  private Losses at(Instant time) {
    Map.Entry<Long, Losses> entry = byMinute.floorEntry(time.toEpochMilli() / MILLIS_A_MINUTE);
    return entry == null ? Losses.NONE_KNOWN : entry.getValue();
  }

  private static long minus(long after, long before) {
    return after < 0 ? Losses.UNKNOWN : after - Math.max(0, before);
  }
}
