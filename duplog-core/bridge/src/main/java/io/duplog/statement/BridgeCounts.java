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
 * The copies that one bridge received from each stream, and the events that its sink accepted,
 * within an hour or less. Immutable.
 *
 * @param streams counts of each stream's copies
 * @param accepted number of events that the sink has accepted, by sourcetype and host. Empty if the
 *     sink does not report it. Includes control events, which the sink makes itself.
 */
record BridgeCounts(List<StreamPart> streams, Map<Source, Long> accepted) {
  /** Limit of named sources. The rest are counted as the other sources of their sourcetype. */
  private static final int MAX_NAMED_SOURCES = 200;

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

  /** Returns the same counts, but names only the sources with the most events. */
  BridgeCounts shortened() {
    List<Map.Entry<Source, Long>> largestFirst =
        accepted.entrySet().stream()
            .sorted(
                Map.Entry.<Source, Long>comparingByValue()
                    .reversed()
                    .thenComparing(each -> each.getKey().toString()))
            .toList();
    Map<Source, Long> named = new LinkedHashMap<>();
    for (Map.Entry<Source, Long> each : largestFirst) {
      Source source = each.getKey();
      boolean isNamed = named.size() < MAX_NAMED_SOURCES;
      named.merge(isNamed ? source : source.others(), each.getValue(), Long::sum);
    }
    return new BridgeCounts(streams, Collections.unmodifiableMap(named));
  }

  /**
   * Returns these counts minus those of a shorter period with the same beginning. The events of a
   * sourcetype's unnamed sources may be negative if the two name different sources. The sum of both
   * parts is correct.
   */
  BridgeCounts after(BridgeCounts shorter) {
    Map<Source, Long> rest = new LinkedHashMap<>(accepted);
    shorter.accepted.forEach((source, events) -> rest.merge(source, -events, Long::sum));
    rest.values().removeIf(events -> events == 0);
    return new BridgeCounts(
        Streams.zip(streams.stream(), shorter.streams.stream(), StreamPart::after).toList(), rest);
  }

  /** Returns the number of copies received. */
  long received() {
    return streams.stream().mapToLong(StreamPart::received).sum();
  }
}
