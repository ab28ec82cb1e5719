package io.duplog.deliver.hec.answer;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.duplog.observe.JsonValue;
import java.io.IOException;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Reads the JSON body of Splunk's reply: its code, its text and any acknowledgement id. A body that
 * is not a JSON object counts as an empty object.
 *
 * @param code Splunk's code, or -1 if there is none
 * @param invalidEvent number of the bad event from 0, or -1 if there is none
 * @param ackId the acknowledgement id, or null if there is none
 * @param text Splunk's own text, or null if there is none
 * @param acknowledgedIds in an answer to a poll, the acknowledged ids; otherwise null
 */
public record ReplyBody(
    int code,
    int invalidEvent,
    @Nullable Long ackId,
    @Nullable String text,
    @Nullable Set<Long> acknowledgedIds) {
  private static final ReplyBody EMPTY = new ReplyBody(-1, -1, null, null, null);

  /** Result for a truncated JSON object. */
  private static final ReplyBody TRUNCATED = new ReplyBody(-1, -1, null, null, null);

  /** Parses a body. If it is not JSON, the result has no values. */
  public static ReplyBody of(byte[] json) {
    String body = new String(json, UTF_8).replaceFirst("^[\\s\uFEFF]+", "");
    try {
      return body.startsWith("{") ? of(JsonValue.parse(body)) : EMPTY;
    } catch (IOException e) {
      return TRUNCATED;
    }
  }

  @SuppressWarnings("ReferenceEquality") // TRUNCATED is a single instance
  boolean isTruncated() {
    return this == TRUNCATED;
  }

  private static ReplyBody of(JsonValue body) {
    long ackId =
        Math.max(
            number(body.at("ackId").value(), Long.MAX_VALUE),
            number(body.at("ackID").value(), Long.MAX_VALUE));
    return new ReplyBody(
        (int) number(body.at("code").value(), Integer.MAX_VALUE),
        (int) number(body.at("invalid-event-number").value(), Integer.MAX_VALUE),
        ackId < 0 ? null : (Long) ackId,
        body.at("text").value() instanceof String text ? text : null,
        body.at("acks").value() instanceof Map<?, ?> acks ? trueIds(acks) : null);
  }

  /**
   * Reads an integer from 0 to {@code max} from a JSON number or string. Returns -1 for any other
   * value.
   */
  private static long number(@Nullable Object value, long max) {
    String text = String.valueOf(value);
    long number = text.matches("\\d{1,18}") ? Long.parseLong(text) : -1;
    return number <= max ? number : -1;
  }

  private static Set<Long> trueIds(Map<?, ?> acks) {
    return acks.entrySet().stream()
        .filter(ack -> Boolean.TRUE.equals(ack.getValue()))
        .map(ack -> number(ack.getKey(), Long.MAX_VALUE))
        .filter(id -> id >= 0)
        .collect(Collectors.toSet());
  }
}
