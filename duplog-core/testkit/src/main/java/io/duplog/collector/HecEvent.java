package io.duplog.collector;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * An event that the simulated collector received. A member is null if the request does not contain
 * it.
 *
 * @param time seconds since 1970, as the client wrote them
 * @param event the event's text; JSON if it was an object or an array
 * @param fields indexed fields by name; the values of a list are joined with commas
 */
public record HecEvent(
    @Nullable String time,
    @Nullable String host,
    @Nullable String source,
    @Nullable String sourcetype,
    @Nullable String index,
    String event,
    Map<String, String> fields) {}
