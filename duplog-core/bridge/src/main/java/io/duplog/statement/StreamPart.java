package io.duplog.statement;

import io.duplog.observe.End;
import io.duplog.observe.JsonObject;
import io.duplog.observe.JsonValue;
import io.duplog.observe.StreamCounters;
import java.util.Collection;
import java.util.Collections;
import java.util.EnumMap;
import java.util.Map;
import java.util.Objects;
import java.util.function.ToLongFunction;
import java.util.stream.Stream;

/**
 * The copies that one bridge received from one stream within an hour or less, counted by their
 * outcome. Immutable.
 *
 * @param before copies in flight at the beginning
 * @param received copies received in the period
 * @param ends number of both that ended in each way
 * @param after copies in flight at the end
 */
record StreamPart(String stream, long before, long received, Map<End, Long> ends, long after) {

  private static final String BEFORE = "in_flight_before";
  private static final String RECEIVED = "received";
  private static final String AFTER = "in_flight_after";

  /** Returns the counts of a stream since the bridge started. */
  static StreamPart of(StreamCounters counters) {
    // The ends are read first, so that no copy seems to end before it was received.
    Map<End, Long> ends = ends(counters::sum);
    long received = counters.received.sum();
    return new StreamPart(counters.stream(), 0, received, ends, received - sum(ends));
  }

  static StreamPart of(JsonValue json) {
    return new StreamPart(
        json.at("stream").text(),
        (long) json.at(BEFORE).number(),
        (long) json.at(RECEIVED).number(),
        ends(end -> (long) json.at(end.key()).number()),
        (long) json.at(AFTER).number());
  }

  JsonObject json() {
    JsonObject json =
        new JsonObject().put("stream", stream).put(BEFORE, before).put(RECEIVED, received);
    for (End end : End.values()) {
      json.put(end.key(), ended(end));
    }
    return json.put(AFTER, after);
  }

  /** Returns the counts of the rest of this period after a shorter one with the same beginning. */
  StreamPart after(StreamPart shorter) {
    return new StreamPart(
        stream,
        shorter.after,
        received - shorter.received,
        ends(end -> ended(end) - shorter.ended(end)),
        after);
  }

  /** Returns the sum of one stream's parts. */
  static StreamPart sum(String stream, Collection<StreamPart> parts) {
    return new StreamPart(
        stream,
        sum(parts, StreamPart::before),
        sum(parts, StreamPart::received),
        ends(end -> sum(parts, part -> part.ended(end))),
        sum(parts, StreamPart::after));
  }

  private static long sum(Collection<StreamPart> parts, ToLongFunction<StreamPart> number) {
    return parts.stream().mapToLong(number).sum();
  }

  private static Map<End, Long> ends(ToLongFunction<End> number) {
    Map<End, Long> ends = new EnumMap<>(End.class);
    for (End end : End.values()) {
      ends.put(end, number.applyAsLong(end));
    }
    return Collections.unmodifiableMap(ends);
  }

  private static long sum(Map<End, Long> ends) {
    return ends.values().stream().mapToLong(each -> each).sum();
  }

  /** Returns the number of copies that ended in this way. */
  long ended(End end) {
    return Objects.requireNonNull(ends.get(end));
  }

  /**
   * Whether the counts add up: copies in flight before plus copies received equal copies ended plus
   * copies still in flight.
   */
  boolean isConserved() {
    return before + received == sum(ends) + after;
  }

  /** Returns the number of copies that the sink has accepted. */
  long delivered() {
    return Stream.of(End.values()).filter(End::isDelivered).mapToLong(this::ended).sum();
  }
}
