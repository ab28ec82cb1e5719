package io.duplog.deliver.hec.answer;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.duplog.observe.JsonValue;
import java.io.IOException;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The content of Splunk's JSON answer. A body that is not a JSON object counts as an empty object.
 *
 * @param code Splunk's code; -1 if there is none
 * @param invalidEvent number of the bad event from 0; -1 if there is none
 * @param ackId the acknowledgement id; null if there is none
 * @param text Splunk's own text; null if there is none
 * @param indexed in an answer about acknowledgements, the ids that are acknowledged; otherwise null
 */
public record ReplyBody(
    int code,
    int invalidEvent,
    @Nullable Long ackId,
    @Nullable String text,
    @Nullable Set<Long> indexed) {
  private static final ReplyBody NOTHING = new ReplyBody(-1, -1, null, null, null);

  /** Result for a JSON object that is cut short. */
  private static final ReplyBody CUT_SHORT = new ReplyBody(-1, -1, null, null, null);

  /** Parses a body; a body that is not JSON gives a result without any values. */
  public static ReplyBody of(byte[] json) {
    String body = new String(json, UTF_8).replaceFirst("^[\\s\uFEFF]+", "");
    try {
      return body.startsWith("{") ? of(JsonValue.parse(body)) : NOTHING;
    } catch (IOException e) {
      return CUT_SHORT;
    }
  }

  @SuppressWarnings("ReferenceEquality") // CUT_SHORT is a single instance
  boolean isCutShort() {
    return this == CUT_SHORT;
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
   * Reads a whole number from 0 to {@code max} out of a JSON number or string; otherwise returns
   * -1.
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
