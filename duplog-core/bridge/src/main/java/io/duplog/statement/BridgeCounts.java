package io.duplog.statement;

import static java.util.stream.Collectors.toMap;

import com.google.common.collect.Streams;
import io.duplog.observe.EventCounts.Source;
import io.duplog.observe.JsonObject;
import io.duplog.observe.JsonValue;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * What a bridge did in a stretch of time. Immutable.
 *
 * @param streams what became of each stream's copies
 * @param accepted how many events the sink has accepted, by sourcetype and host; empty if the sink
 *     does not say. Control events, which the sink makes itself, count as well
 */
record BridgeCounts(List<StreamPart> streams, Map<Source, Long> accepted) {
  /** Most sources that are named; the rest are others of their sourcetype. */
  private static final int NAMED = 200;

  static BridgeCounts of(JsonValue json) {
    Map<Source, Long> accepted =
        json.at("accepted").list().stream()
            .collect(
                toMap(
                    each -> new Source(each.at("sourcetype").text(), each.at("host").text()),
                    each -> (long) each.at("events").number(),
                    Long::sum));
    return new BridgeCounts(
        json.at("streams").list().stream().map(StreamPart::of).toList(), accepted);
  }

  void addTo(JsonObject json) {
    json.put("streams", streams.stream().map(StreamPart::json).toList());
    json.put("accepted", accepted.entrySet().stream().map(BridgeCounts::row).toList());
  }

  private static JsonObject row(Map.Entry<Source, Long> accepted) {
    return new JsonObject()
        .put("sourcetype", accepted.getKey().sourcetype())
        .put("host", accepted.getKey().host())
        .put("events", accepted.getValue());
  }

  /** Returns the same counts, in which only the sources with most events are named. */
  BridgeCounts shortened() {
    List<Map.Entry<Source, Long>> most =
        accepted.entrySet().stream()
            .sorted(
                Map.Entry.<Source, Long>comparingByValue()
                    .reversed()
                    .thenComparing(each -> each.getKey().toString()))
            .toList();
    Map<Source, Long> named = new LinkedHashMap<>();
    for (Map.Entry<Source, Long> each : most) {
      Source source = each.getKey();
      boolean isNamed = named.size() < NAMED;
      named.merge(isNamed ? source : source.others(), each.getValue(), Long::sum);
    }
    return new BridgeCounts(streams, Collections.unmodifiableMap(named));
  }

  /**
   * Returns these counts minus those of a shorter stretch with the same beginning. The events of a
   * sourcetype's unnamed sources may be negative if the two name different sources; the sum of both
   * parts is right.
   */
  BridgeCounts after(BridgeCounts shorter) {
    Map<Source, Long> rest = new LinkedHashMap<>(accepted);
    shorter.accepted.forEach((source, events) -> rest.merge(source, -events, Long::sum));
    rest.values().removeIf(events -> events == 0);
    return new BridgeCounts(
        Streams.zip(streams.stream(), shorter.streams.stream(), StreamPart::after).toList(), rest);
  }

  /** Returns how many copies came. */
  long received() {
    return streams.stream().mapToLong(StreamPart::received).sum();
  }
}
