package io.duplog.ingest.hec;

import io.duplog.wire.EventHead;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * An event that a client sent.
 *
 * @param head metadata, with the defaults of the request and of the token
 * @param text the event's text, or its JSON if it was no string
 * @param fields indexed fields with a single value, as text
 */
record HecEvent(EventHead head, String text, Map<String, String> fields) {

  /** Returns the value of an indexed field, or null if the event does not have it. */
  @Nullable String field(String name) {
    return fields.get(name);
  }
}
