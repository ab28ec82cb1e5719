package io.duplog.benchmark.chaos;

import io.duplog.benchmark.measure.MergedStream;
import io.duplog.benchmark.report.Delays;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * Records when messages were sent and when they arrived. One thread at a time calls {@link #sent},
 * and one {@link #arrived}; results are for the time after the load.
 */
final class Arrivals implements MergedStream.Arrivals {
  static final Duration INTERVAL = Duration.ofMillis(250);

  private static final long INTERVAL_NANOS = INTERVAL.toNanos();

  private final long startNanos;
  private final List<Event> sent = new ArrayList<>();
  private final List<Event> arrived = new ArrayList<>();

  private record Event(long nanos, long serial, boolean isArrival) {}

  Arrivals(long startNanos) {
    this.startNanos = startNanos;
  }

  /** Called when a copy of a message is sent. */
  void sent(long serial, long nowNanos) {
    sent.add(new Event(nowNanos, serial, false));
  }

  @Override
  public void arrived(long serial, boolean isFirst, long nanos) {
    arrived.add(new Event(nanos, serial, true));
  }

  /** Returns how many lines arrived in each {@link #INTERVAL} since the start. */
  List<Integer> intervals() {
    List<Integer> intervals = new ArrayList<>();
    for (Event event : arrived) {
      int interval = (int) ((event.nanos - startNanos) / INTERVAL_NANOS);
      while (intervals.size() <= interval) {
        intervals.add(0);
      }
      intervals.set(interval, intervals.get(interval) + 1);
    }
    return intervals;
  }

  /**
   * Returns the delays of messages, and the longest gap between deliveries from the first one to
   * the end of the load. The time of a repetition counts only if the message has arrived before.
   *
   * @param limit a message that took longer is late
   * @param sender longest delay of the sender behind its schedule
   * @param endNanos when the load ended
   */
  Delays delays(Duration limit, Duration sender, long endNanos) {
    Map<Long, Long> underWay = new HashMap<>();
    long longest = 0;
    long late = 0;
    long gap = 0;
    long lastNanos = endNanos;
    for (Event event :
        Stream.of(sent, arrived)
            .flatMap(List::stream)
            .sorted(Comparator.comparingLong(Event::nanos))
            .toList()) {
      if (!event.isArrival) {
        underWay.putIfAbsent(event.serial, event.nanos);
        continue;
      }
      Long since = underWay.remove(event.serial);
      long delay = since == null ? 0 : event.nanos - since;
      longest = Math.max(longest, delay);
      late += millis(delay).compareTo(limit) > 0 ? 1 : 0;
      gap = Math.max(gap, Math.min(event.nanos - endNanos, 0) + endNanos - lastNanos);
      lastNanos = event.nanos;
    }
    gap = Math.max(gap, endNanos - lastNanos);
    return new Delays(millis(gap), millis(longest), late, sender);
  }

  private static Duration millis(long nanos) {
    return Duration.ofMillis(TimeUnit.NANOSECONDS.toMillis(nanos));
  }
}
