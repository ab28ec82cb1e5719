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
 * Records when each message was sent and when it arrived during a chaos run, to report the delays
 * that a fault caused. Not thread-safe: one thread at a time calls {@link #recordSent}, and one
 * calls {@link #arrived}. Results are available after the load.
 */
final class Arrivals implements MergedStream.Arrivals {
  static final Duration INTERVAL = Duration.ofMillis(250);

  private static final long INTERVAL_NANOS = INTERVAL.toNanos();

  private final long startNanos;
  private final List<Event> sentEvents = new ArrayList<>();
  private final List<Event> arrivalEvents = new ArrayList<>();

  private record Event(long nanos, long serial, boolean isArrival) {}

  Arrivals(long startNanos) {
    this.startNanos = startNanos;
  }

  /** Records the sending of a copy of a message. */
  void recordSent(long serial, long nowNanos) {
    sentEvents.add(new Event(nowNanos, serial, false));
  }

  @Override
  public void arrived(long serial, boolean isFirst, long nanos) {
    arrivalEvents.add(new Event(nanos, serial, true));
  }

  /** Returns how many lines arrived in each {@link #INTERVAL} since the start. */
  List<Integer> intervals() {
    List<Integer> intervals = new ArrayList<>();
    for (Event event : arrivalEvents) {
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
   * the end of the load. The time of a repetition counts only if the message has already arrived.
   *
   * @param limit delay above which a message is late
   * @param senderDelay maximum delay of the sender relative to its schedule
   * @param endNanos when the load ended
   */
  Delays delays(Duration limit, Duration senderDelay, long endNanos) {
    Map<Long, Long> sendNanosInFlight = new HashMap<>();
    long longestDelay = 0;
    long lateMessages = 0;
    long longestGap = 0;
    long lastArrivalNanos = endNanos;
    for (Event event :
        Stream.of(sentEvents, arrivalEvents)
            .flatMap(List::stream)
            .sorted(Comparator.comparingLong(Event::nanos))
            .toList()) {
      if (!event.isArrival) {
        sendNanosInFlight.putIfAbsent(event.serial, event.nanos);
        continue;
      }
      Long sentNanos = sendNanosInFlight.remove(event.serial);
      long delay = sentNanos == null ? 0 : event.nanos - sentNanos;
      longestDelay = Math.max(longestDelay, delay);
      lateMessages += toMillis(delay).compareTo(limit) > 0 ? 1 : 0;
      longestGap =
          Math.max(longestGap, Math.min(event.nanos - endNanos, 0) + endNanos - lastArrivalNanos);
      lastArrivalNanos = event.nanos;
    }
    longestGap = Math.max(longestGap, endNanos - lastArrivalNanos);
    return new Delays(toMillis(longestGap), toMillis(longestDelay), lateMessages, senderDelay);
  }

  private static Duration toMillis(long nanos) {
    return Duration.ofMillis(TimeUnit.NANOSECONDS.toMillis(nanos));
  }
}
