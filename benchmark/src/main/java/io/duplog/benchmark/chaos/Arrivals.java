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
 * When messages were sent and when they arrived. {@link #sent} belongs to the sender's thread, the
 * rest to the thread that watches the sink.
 */
final class Arrivals {
  static final Duration INTERVAL = Duration.ofMillis(250);

  /** How often someone is to look into the sink. */
  static final Duration RESOLUTION = Duration.ofMillis(10);

  private static final long INTERVAL_NANOS = INTERVAL.toNanos();
  private static final long NANOS_A_SECOND = TimeUnit.SECONDS.toNanos(1);

  private final Map<Long, Long> underWay = new ConcurrentHashMap<>();
  private final List<Integer> intervals = new ArrayList<>();
  private final long startNanos;

  /** How many messages were under way for a second and more, by milliseconds. */
  private final NavigableMap<Long, Long> slow = new TreeMap<>();

  private long longestNanos;
  private boolean begun;
  private long lastNanos;
  private long longestGapNanos;

  Arrivals(long startNanos) {
    this.startNanos = startNanos;
  }

  /** A message leaves the sender, maybe not for the first time. */
  void sent(long identity, long nowNanos) {
    underWay.putIfAbsent(identity, nowNanos);
  }

  /** A line with this identity was found in the sink. */
  void arrived(long identity, long nowNanos) {
    int interval = (int) ((nowNanos - startNanos) / INTERVAL_NANOS);
    while (intervals.size() <= interval) {
      intervals.add(0);
    }
    intervals.set(interval, intervals.get(interval) + 1);
    Long sent = underWay.remove(identity);
    if (sent != null) {
      long delay = nowNanos - sent;
      longestNanos = Math.max(longestNanos, delay);
      if (delay >= NANOS_A_SECOND) {
        slow.merge(TimeUnit.NANOSECONDS.toMillis(delay), 1L, Long::sum);
      }
    }
  }

  /** How many arrived in each interval since the start. */
  List<Integer> intervals() {
    return List.copyOf(intervals);
  }

  /**
   * Someone has looked into the sink.
   *
   * @param found whether something was new
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
   * The longest gap is from the first delivery on.
   *
   * @param limit a second or more; a message that took longer is late
   */
  Delays delays(Duration limit) {
    long late =
        slow.tailMap(limit.toMillis(), false).values().stream().mapToLong(Long::longValue).sum();
    return new Delays(millis(longestGapNanos), millis(longestNanos), late);
  }

  private static Duration millis(long nanos) {
    return Duration.ofMillis(TimeUnit.NANOSECONDS.toMillis(nanos));
  }
}
