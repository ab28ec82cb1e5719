package io.duplog.deliver.hec;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import java.io.IOException;
import java.util.HashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What Splunk's JSON says, as far as it is there. Anything else is as good as an empty object.
 *
 * @param code -1 where there is none
 * @param invalidEvent counted from 0; -1 where there is none
 * @param text one short line
 * @param indexed of an answer about acknowledgements, the ids that are true
 */
record ReplyBody(
    int code,
    int invalidEvent,
    @Nullable Long ackId,
    @Nullable String text,
    @Nullable Set<Long> indexed) {
  private static final ReplyBody NOTHING = new ReplyBody(-1, -1, null, null, null);

  /** An object that breaks off. */
  private static final ReplyBody CUT_SHORT = new ReplyBody(-1, -1, null, null, null);

  private static final JsonFactory JSON = new JsonFactory();

  static ReplyBody of(byte[] json) {
    boolean begun = false;
    try (JsonParser parser = JSON.createParser(json)) {
      begun = parser.nextToken() == JsonToken.START_OBJECT;
      return begun ? read(parser) : NOTHING;
    } catch (IOException e) {
      return begun ? CUT_SHORT : NOTHING;
    }
  }

  @SuppressWarnings("ReferenceEquality") // there is one
  boolean isCutShort() {
    return this == CUT_SHORT;
  }

  private static ReplyBody read(JsonParser parser) throws IOException {
    int code = -1;
    int invalidEvent = -1;
    Long ackId = null;
    String text = null;
    Set<Long> indexed = null;
    for (String name = parser.nextFieldName(); name != null; name = parser.nextFieldName()) {
      JsonToken token = parser.nextToken();
      switch (name) {
        case "code" -> code = (int) number(parser, token, Integer.MAX_VALUE);
        case "invalid-event-number" ->
            invalidEvent = (int) number(parser, token, Integer.MAX_VALUE);
        case "ackId", "ackID" -> {
          long id = number(parser, token, Long.MAX_VALUE);
          ackId = id < 0 ? null : (Long) id;
        }
        case "text" ->
            text = token == JsonToken.VALUE_STRING ? AnswerReader.excerpt(parser.getText()) : null;
        case "acks" -> indexed = token == JsonToken.START_OBJECT ? trueIds(parser) : null;
        default -> {}
      }
      parser.skipChildren();
    }
    return new ReplyBody(code, invalidEvent, ackId, text, indexed);
  }

  /** Not below 0 and not above max, as a number or a text; else -1. */
  private static long number(JsonParser parser, JsonToken token, long max) throws IOException {
    if (token != JsonToken.VALUE_NUMBER_INT && token != JsonToken.VALUE_STRING) {
      return -1;
    }
    return number(parser.getText(), max);
  }

  private static long number(String text, long max) {
    if (!text.matches("\\d{1,18}")) {
      return -1;
    }
    long value = Long.parseLong(text);
    return value <= max ? value : -1;
  }

  private static Set<Long> trueIds(JsonParser parser) throws IOException {
    Set<Long> ids = new HashSet<>();
    for (String name = parser.nextFieldName(); name != null; name = parser.nextFieldName()) {
      JsonToken token = parser.nextToken();
      long id = number(name, Long.MAX_VALUE);
      if (token == JsonToken.VALUE_TRUE && id >= 0) {
        ids.add(id);
      }
      parser.skipChildren();
    }
    return ids;
  }
}
