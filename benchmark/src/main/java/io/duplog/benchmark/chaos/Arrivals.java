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

  /** Delay above which the deliveries have not caught up with the load. */
  private static final Duration NOTABLE_DELAY = Duration.ofSeconds(1);

  private static final double MILLIS_PER_SECOND = 1000;

  /**
   * An arrival.
   *
   * @param delayNanos time since the message was sent; 0 for a repetition
   */
  private record Arrival(long nanos, long delayNanos) {}

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
    long longestDelay = 0;
    long lateMessages = 0;
    long longestGap = 0;
    long lastArrivalNanos = endNanos;
    for (Arrival arrival : delayedArrivals()) {
      longestDelay = Math.max(longestDelay, arrival.delayNanos);
      lateMessages += toMillis(arrival.delayNanos).compareTo(limit) > 0 ? 1 : 0;
      longestGap =
          Math.max(longestGap, Math.min(arrival.nanos - endNanos, 0) + endNanos - lastArrivalNanos);
      lastArrivalNanos = arrival.nanos;
    }
    longestGap = Math.max(longestGap, endNanos - lastArrivalNanos);
    return new Delays(toMillis(longestGap), toMillis(longestDelay), lateMessages, senderDelay);
  }

  /**
   * Describes how much was delivered during a fault, and how long after it messages were still
   * delayed by more than a second.
   *
   * @param faultStart time from the start of the run to the fault
   * @param faultEnd time from the start of the run to the end of the repair
   */
  String course(Duration faultStart, Duration faultEnd) {
    long beginNanos = startNanos + faultStart.toNanos();
    long endNanos = startNanos + faultEnd.toNanos();
    long during = 0;
    long lastDelayedNanos = endNanos;
    for (Arrival arrival : delayedArrivals()) {
      during += arrival.nanos >= beginNanos && arrival.nanos < endNanos ? 1 : 0;
      if (arrival.delayNanos > NOTABLE_DELAY.toNanos()) {
        lastDelayedNanos = Math.max(lastDelayedNanos, arrival.nanos);
      }
    }
    return "%d delivered during the fault of %.1f s, caught up %.1f s after it"
        .formatted(
            during,
            faultEnd.minus(faultStart).toMillis() / MILLIS_PER_SECOND,
            toMillis(lastDelayedNanos - endNanos).toMillis() / MILLIS_PER_SECOND);
  }

  /** Returns all arrivals in their order, each with its delay. */
  private List<Arrival> delayedArrivals() {
    Map<Long, Long> sendNanosInFlight = new HashMap<>();
    List<Arrival> arrivals = new ArrayList<>();
    for (Event event :
        Stream.of(sentEvents, arrivalEvents)
            .flatMap(List::stream)
            .sorted(Comparator.comparingLong(Event::nanos))
            .toList()) {
      if (event.isArrival) {
        Long sentNanos = sendNanosInFlight.remove(event.serial);
        arrivals.add(new Arrival(event.nanos, sentNanos == null ? 0 : event.nanos - sentNanos));
      } else {
        sendNanosInFlight.putIfAbsent(event.serial, event.nanos);
      }
    }
    return arrivals;
  }

  private static Duration toMillis(long nanos) {
    return Duration.ofMillis(TimeUnit.NANOSECONDS.toMillis(nanos));
  }
}
