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
 * Records when each stream was away, which means that it did not bring everything, as far as this
 * bridge saw. No sender counts as silent at such a time. Not safe for threads.
 */
final class AwayTimes {
  /**
   * Shortest silence that counts. It is longer by {@link #MILLIS_A_SENDER} for each known sender,
   * because handing over and reading take that long.
   */
  private static final Duration SHORTEST = Duration.ofMinutes(1);

  private static final int MILLIS_A_SENDER = 3;

  /** Most times to remember for each stream; the oldest are forgotten first. */
  private static final int MOST = 1_000;

  private record Time(long fromMillis, long untilMillis) {}

  /** A number that grows with the length of a stretch of time, such as the length itself. */
  interface Measure {
    double of(long fromMillis, long untilMillis);
  }

  /** Whether one stream is current, and when it was not. */
  private static final class Course {
    final Deque<Time> away = new ArrayDeque<>();
    boolean current;

    /** When {@link #current} last changed, in milliseconds since the epoch. */
    long sinceMillis;

    void turn(boolean isCurrent, long sinceMillis) {
      current = isCurrent;
      this.sinceMillis = sinceMillis;
    }

    void wasAway(long fromMillis, long untilMillis) {
      away.addLast(new Time(fromMillis, untilMillis));
      if (away.size() > MOST) {
        away.removeFirst();
      }
    }
  }

  private final List<String> streams;
  private final Predicate<String> current;
  private final Map<String, Course> courses = new HashMap<>();
  private long lookedMillis;
  private long shortest = SHORTEST.toMillis();

  /**
   * @param current says of a stream's name whether the stream has brought everything that it can by
   *     now
   */
  AwayTimes(List<String> streams, Predicate<String> current) {
    this.streams = streams;
    this.current = current;
  }

  /**
   * Updates which streams are current.
   *
   * @param known all senders; at the first call, a stream counts as away since it brought the
   *     newest of their messages, if that was long ago
   */
  void look(Collection<SenderRecord> known, long nowMillis) {
    shortest = SHORTEST.toMillis() + (long) MILLIS_A_SENDER * known.size();
    boolean paused = lookedMillis > 0 && nowMillis - lookedMillis > shortest;
    for (String stream : streams) {
      boolean isCurrent = current.test(stream);
      Course course = courses.get(stream);
      if (course == null) {
        course = new Course();
        courses.put(stream, course);
        long newest = newest(stream, known, nowMillis);
        course.turn(false, nowMillis - newest > shortest ? newest : nowMillis);
      }
      if (paused && course.current) {
        course.wasAway(lookedMillis, nowMillis);
        course.turn(true, nowMillis);
      }
      if (isCurrent && !course.current) {
        course.wasAway(course.sinceMillis, nowMillis);
        course.turn(true, nowMillis);
      } else if (!isCurrent && course.current) {
        course.turn(false, lookedMillis);
      }
    }
    lookedMillis = nowMillis;
  }

  private static long newest(String stream, Collection<SenderRecord> known, long nowMillis) {
    return known.stream()
        .filter(record -> record.paths().containsKey(stream))
        .mapToLong(record -> record.lastMillis(stream))
        .max()
        .orElse(nowMillis);
  }

  /**
   * Returns the shortest silence that counts, in milliseconds. If more time passes between two
   * looks, all streams count as away meanwhile.
   */
  long shortest() {
    return shortest;
  }

  /**
   * Whether at least one stream that brought the sender's last messages has been current for {@link
   * #shortest}, so that what it brought late has been handed over and read.
   */
  boolean isSteady(SenderRecord record) {
    return streams.stream()
        .filter(record::wasBroughtLastBy)
        .map(courses::get)
        .anyMatch(
            course ->
                course != null && course.current && lookedMillis - course.sinceMillis >= shortest);
  }

  /**
   * Measures a sender's silence, without the times in which the stream that brought its last
   * message was away. If several streams brought it, the one that was away for the shortest time
   * counts.
   */
  double silence(SenderRecord record, long fromMillis, long untilMillis, Measure measure) {
    double all = measure.of(fromMillis, untilMillis);
    return streams.stream()
        .filter(record::wasBroughtLastBy)
        .mapToDouble(stream -> all - away(stream, fromMillis, untilMillis, measure))
        .max()
        .orElse(0);
  }

  private double away(String stream, long fromMillis, long untilMillis, Measure measure) {
    Course course = courses.get(stream);
    if (course == null) {
      return 0;
    }
    double sum = 0;
    for (Time time : course.away) {
      sum += overlap(time.fromMillis(), time.untilMillis(), fromMillis, untilMillis, measure);
    }
    return course.current
        ? sum
        : sum + overlap(course.sinceMillis, untilMillis, fromMillis, untilMillis, measure);
  }

  private static double overlap(long from, long until, long least, long most, Measure measure) {
    long begin = Math.max(from, least);
    long end = Math.min(until, most);
    return begin < end ? measure.of(begin, end) : 0;
  }
}
