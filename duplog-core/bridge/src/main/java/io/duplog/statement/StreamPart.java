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
 * What became of one stream's copies in a stretch of time, in copies. Immutable.
 *
 * @param before copies in flight at the beginning
 * @param received copies that came meanwhile
 * @param ends how many of both ended in each way
 * @param after copies in flight at the end
 */
record StreamPart(String stream, long before, long received, Map<End, Long> ends, long after) {

  private static final String BEFORE = "in_flight_before";
  private static final String RECEIVED = "received";
  private static final String AFTER = "in_flight_after";

  /** Returns what is counted of a stream since the bridge started. */
  static StreamPart of(StreamCounters counters) {
    // The ends are read first, so that no copy has ended without being received.
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

  /**
   * Returns the counts of what remains of this stretch after a shorter one with the same beginning.
   */
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

  /** Returns how many copies ended in a way. */
  long ended(End end) {
    return Objects.requireNonNull(ends.get(end));
  }

  /**
   * Whether no copy was lost or invented: those in flight before and those received are those that
   * ended and those still in flight.
   */
  boolean isConserved() {
    return before + received == sum(ends) + after;
  }

  /** Returns how many copies the sink has accepted. */
  long delivered() {
    return Stream.of(End.values()).filter(End::isDelivered).mapToLong(this::ended).sum();
  }
}
