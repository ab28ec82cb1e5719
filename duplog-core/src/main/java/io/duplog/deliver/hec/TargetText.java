package io.duplog.deliver.hec;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.Map;
import java.util.StringJoiner;
import org.jspecify.annotations.Nullable;

/**
 * A target's share of an event, as it stands in JSON.
 *
 * @param head {@code ,"host":…,"index":…} as far as there are such
 * @param fields {@code "name":"value",…} without braces
 * @param namesHost whether the head has a host
 */
@SuppressWarnings("ArrayRecordComponent") // carried, never compared
record TargetText(byte[] head, byte[] fields, boolean namesHost) {

  /**
   * @param index stands instead of the target's own, unless null
   */
  static TargetText of(Metadata.Target target, @Nullable String index) {
    StringBuilder head = new StringBuilder();
    member(head, "host", target.host());
    member(head, "index", index == null ? target.index() : index);
    member(head, "sourcetype", target.sourcetype());
    member(head, "source", target.source());
    StringJoiner fields = new StringJoiner(",");
    for (Map.Entry<String, String> field : target.fields().entrySet()) {
      fields.add(quoted(field.getKey()) + ":" + quoted(field.getValue()));
    }
    return new TargetText(
        head.toString().getBytes(UTF_8), fields.toString().getBytes(UTF_8), target.host() != null);
  }

  private static void member(StringBuilder to, String name, @Nullable String value) {
    if (value != null) {
      to.append(",\"").append(name).append("\":").append(quoted(value));
    }
  }

  /** As a JSON string, quotes included. */
  static String quoted(String value) {
    byte[] bytes = value.getBytes(UTF_8);
    byte[] text = new byte[JsonText.length(bytes, 0, bytes.length)];
    JsonText.write(bytes, 0, bytes.length, text, 0);
    return '"' + new String(text, UTF_8) + '"';
  }
}
