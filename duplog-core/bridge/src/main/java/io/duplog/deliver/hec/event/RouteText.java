package io.duplog.deliver.hec.event;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.duplog.deliver.route.Route;
import java.util.Map;
import java.util.StringJoiner;
import org.jspecify.annotations.Nullable;

/**
 * The part of a JSON event that a routing rule determines, encoded once for all events of the rule.
 *
 * @param head the members {@code ,"host":…,"index":…} and so on that the route defines
 * @param fields the members {@code "name":"value",…} of the object {@code fields}, without braces
 */
@SuppressWarnings("ArrayRecordComponent") // carried, never compared
record RouteText(byte[] head, byte[] fields) {

  /**
   * @param index replaces the route's index, or null to keep it
   */
  static RouteText of(Route route, @Nullable String index) {
    StringBuilder head = new StringBuilder();
    member(head, "host", route.host().fixed());
    member(head, "index", index == null ? route.index() : index);
    member(head, "sourcetype", route.sourcetype());
    member(head, "source", route.source());
    StringJoiner fields = new StringJoiner(",");
    for (Map.Entry<String, String> field : route.fields().entrySet()) {
      fields.add(JsonText.quoted(field.getKey()) + ":" + JsonText.quoted(field.getValue()));
    }
    return new RouteText(head.toString().getBytes(UTF_8), fields.toString().getBytes(UTF_8));
  }

  private static void member(StringBuilder to, String name, @Nullable String value) {
    if (value != null) {
      to.append(",\"").append(name).append("\":").append(JsonText.quoted(value));
    }
  }
}
