package io.duplog.senders;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Collection;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;

/**
 * Records when each stream was interrupted, so that this is not taken for silence of its senders.
 * Not thread-safe.
 */
final class StreamOutages {
  /**
   * Shortest silence that counts. {@link #MILLIS_PER_SENDER} is added for each known sender,
   * because bridges need that long to share and read the records.
   */
  private static final Duration MIN_SILENCE = Duration.ofMinutes(1);

  private static final int MILLIS_PER_SENDER = 3;

  /** Maximum number of outages to remember for each stream; the oldest are forgotten first. */
  private static final int MAX_OUTAGES = 1_000;

  private record Outage(long fromMillis, long untilMillis) {}

  /** A measure that grows with the length of a time span, such as the length itself. */
  interface Measure {
    double of(long fromMillis, long untilMillis);
  }

  /** Whether one stream is up to date, and its past outages. */
  private static final class Availability {
    final Deque<Outage> outages = new ArrayDeque<>();
    boolean isUpToDate;

    /** When {@link #isUpToDate} last changed, in milliseconds since the epoch. */
    long sinceMillis;

    void change(boolean isUpToDate, long sinceMillis) {
      this.isUpToDate = isUpToDate;
      this.sinceMillis = sinceMillis;
    }

    void addOutage(long fromMillis, long untilMillis) {
      outages.addLast(new Outage(fromMillis, untilMillis));
      if (outages.size() > MAX_OUTAGES) {
        outages.removeFirst();
      }
    }
  }

  private final List<String> streams;
  private final Predicate<String> isUpToDate;
  private final Map<String, Availability> availabilities = new HashMap<>();
  private long lastUpdateMillis;
  private long minSilenceMillis = MIN_SILENCE.toMillis();

  /**
   * @param isUpToDate tells by a stream's name whether the stream has delivered everything that it
   *     can deliver by now
   */
  StreamOutages(List<String> streams, Predicate<String> isUpToDate) {
    this.streams = streams;
    this.isUpToDate = isUpToDate;
  }

  /**
   * Updates which streams are up to date.
   *
   * @param records records of all senders; on the first call, a stream's outage began with its
   *     newest message if that message is old
   */
  void update(Collection<SenderRecord> records, long nowMillis) {
    minSilenceMillis = MIN_SILENCE.toMillis() + (long) MILLIS_PER_SENDER * records.size();
    boolean wasPaused = lastUpdateMillis > 0 && nowMillis - lastUpdateMillis > minSilenceMillis;
    for (String stream : streams) {
      boolean isNowUpToDate = isUpToDate.test(stream);
      Availability availability = availabilities.get(stream);
      if (availability == null) {
        availability = new Availability();
        availabilities.put(stream, availability);
        long newest = newestMillis(stream, records, nowMillis);
        availability.change(false, nowMillis - newest > minSilenceMillis ? newest : nowMillis);
      }
      if (wasPaused && availability.isUpToDate) {
        availability.addOutage(lastUpdateMillis, nowMillis);
        availability.change(true, nowMillis);
      }
      if (isNowUpToDate && !availability.isUpToDate) {
        availability.addOutage(availability.sinceMillis, nowMillis);
        availability.change(true, nowMillis);
      } else if (!isNowUpToDate && availability.isUpToDate) {
        availability.change(false, lastUpdateMillis);
      }
    }
    lastUpdateMillis = nowMillis;
  }

  private static long newestMillis(
      String stream, Collection<SenderRecord> records, long nowMillis) {
    return records.stream()
        .filter(record -> record.paths().containsKey(stream))
        .mapToLong(record -> record.lastMillis(stream))
        .max()
        .orElse(nowMillis);
  }

  /**
   * Returns the shortest silence that counts, in milliseconds. If more time passes between two
   * updates, it counts as an outage of all streams.
   */
  long minSilenceMillis() {
    return minSilenceMillis;
  }

  /**
   * Whether at least one stream that delivered the sender's last messages has been up to date for
   * {@link #minSilenceMillis}. Bridges have shared and read its late messages by then.
   */
  boolean hasSteadyStream(SenderRecord record) {
    return streams.stream()
        .filter(record::wasRecentlyDeliveredBy)
        .map(availabilities::get)
        .anyMatch(
            availability ->
                availability != null
                    && availability.isUpToDate
                    && lastUpdateMillis - availability.sinceMillis >= minSilenceMillis);
  }

  /**
   * Measures a sender's silence without the outages of the stream that delivered its last message.
   * If several streams delivered it, the one with the shortest outages counts.
   */
  double measureSilence(SenderRecord record, long fromMillis, long untilMillis, Measure measure) {
    double whole = measure.of(fromMillis, untilMillis);
    return streams.stream()
        .filter(record::wasRecentlyDeliveredBy)
        .mapToDouble(stream -> whole - measureOutages(stream, fromMillis, untilMillis, measure))
        .max()
        .orElse(0);
  }

  private double measureOutages(String stream, long fromMillis, long untilMillis, Measure measure) {
    Availability availability = availabilities.get(stream);
    if (availability == null) {
      return 0;
    }
    double sum = 0;
    for (Outage outage : availability.outages) {
      sum +=
          measureOverlap(
              outage.fromMillis(), outage.untilMillis(), fromMillis, untilMillis, measure);
    }
    return availability.isUpToDate
        ? sum
        : sum
            + measureOverlap(
                availability.sinceMillis, untilMillis, fromMillis, untilMillis, measure);
  }

  private static double measureOverlap(
      long from, long until, long rangeFrom, long rangeUntil, Measure measure) {
    long begin = Math.max(from, rangeFrom);
    long end = Math.min(until, rangeUntil);
    return begin < end ? measure.of(begin, end) : 0;
  }
}
