package io.duplog.benchmark.chaos;

import io.duplog.benchmark.report.Delays;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;

/**
 * Records when messages were sent and when they arrived. {@link #sent} may be called by another
 * thread than the other methods.
 */
final class Arrivals {
  static final Duration INTERVAL = Duration.ofMillis(250);

  /** Pause between two reads of the sink. */
  static final Duration RESOLUTION = Duration.ofMillis(10);

  private static final long INTERVAL_NANOS = INTERVAL.toNanos();
  private static final long NANOS_A_SECOND = TimeUnit.SECONDS.toNanos(1);

  private final Map<Long, Long> underWay = new ConcurrentHashMap<>();
  private final List<Integer> intervals = new ArrayList<>();
  private final long startNanos;

  /** Number of messages by delay in milliseconds; delays below a second are left out. */
  private final NavigableMap<Long, Long> slow = new TreeMap<>();

  private long longestNanos;
  private boolean begun;
  private long lastNanos;
  private long longestGapNanos;

  Arrivals(long startNanos) {
    this.startNanos = startNanos;
  }

  /**
   * Called when a message is sent. The time of a repetition counts only if the message has arrived
   * before.
   */
  void sent(long serial, long nowNanos) {
    underWay.putIfAbsent(serial, nowNanos);
  }

  /** Called when a new line with this message was read from the sink. */
  void arrived(long serial, long nowNanos) {
    int interval = (int) ((nowNanos - startNanos) / INTERVAL_NANOS);
    while (intervals.size() <= interval) {
      intervals.add(0);
    }
    intervals.set(interval, intervals.get(interval) + 1);
    Long sent = underWay.remove(serial);
    if (sent != null) {
      long delay = nowNanos - sent;
      longestNanos = Math.max(longestNanos, delay);
      if (delay >= NANOS_A_SECOND) {
        slow.merge(TimeUnit.NANOSECONDS.toMillis(delay), 1L, Long::sum);
      }
    }
  }

  /** Returns how many messages arrived in each {@link #INTERVAL} since the start. */
  List<Integer> intervals() {
    return List.copyOf(intervals);
  }

  /**
   * Called after each look into the sink.
   *
   * @param found whether the sink had something new
   */
  void looked(boolean found, long nowNanos) {
    if (begun) {
      longestGapNanos = Math.max(longestGapNanos, nowNanos - lastNanos);
    }
    if (found) {
      begun = true;
      lastNanos = nowNanos;
    }
  }

  /**
   * Returns the delays so far; the longest gap counts from the first delivery on.
   *
   * @param limit limit of a second or more; a message that took longer is late
   */
  Delays delays(Duration limit, Duration sender) {
    long late =
        slow.tailMap(limit.toMillis(), false).values().stream().mapToLong(Long::longValue).sum();
    return new Delays(millis(longestGapNanos), millis(longestNanos), late, sender);
  }

  private static Duration millis(long nanos) {
    return Duration.ofMillis(TimeUnit.NANOSECONDS.toMillis(nanos));
  }
}
