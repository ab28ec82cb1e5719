package io.duplog.benchmark.hec;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * One event as it was sent. What the request does not give is null.
 *
 * @param time seconds since the epoch, as they were written
 * @param event its text; JSON where it was an object or an array
 * @param fields the indexed fields; the values of a list are joined with commas
 */
public record HecEvent(
    @Nullable String time,
    @Nullable String host,
    @Nullable String source,
    @Nullable String sourcetype,
    @Nullable String index,
    String event,
    Map<String, String> fields) {

  public HecEvent {
    fields = Map.copyOf(fields);
  }
}
