package io.duplog.ingest.hec;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonPointer;
import com.fasterxml.jackson.core.JsonToken;
import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Rewrites the JSON of an event for the comparison with an event of another node: leaves members
 * out, and orders the keys of each object as RFC 8785 does. Numbers keep the digits that the client
 * wrote. Thread-safe.
 */
final class CanonicalJson {
  private static final JsonFactory JSON = new JsonFactory();

  private final boolean sorted;
  private final List<JsonPointer> excluded;

  /**
   * @param sorted whether to order the keys
   * @param excluded pointers to what is left out
   */
  CanonicalJson(boolean sorted, List<JsonPointer> excluded) {
    this.sorted = sorted;
    this.excluded = excluded;
  }

  /** Returns the rewritten JSON; the same text if there is nothing to rewrite. */
  String of(String json) {
    if (!sorted && excluded.isEmpty()) {
      return json;
    }
    try (JsonParser parser = JSON.createParser(json)) {
      parser.nextToken();
      return value(parser);
    } catch (IOException e) {
      throw new UncheckedIOException(e); // can't happen, because the event was read before
    }
  }

  private String value(JsonParser parser) throws IOException {
    JsonToken token = parser.currentToken();
    if (token == JsonToken.START_OBJECT) {
      return object(parser);
    }
    return token == JsonToken.START_ARRAY ? array(parser) : scalar(parser);
  }

  private String object(JsonParser parser) throws IOException {
    Map<String, String> members = new TreeMap<>(); // orders by UTF-16 code units, as RFC 8785 does
    StringBuilder inOrder = new StringBuilder();
    while (parser.nextToken() == JsonToken.FIELD_NAME) {
      String name = parser.currentName();
      parser.nextToken();
      if (isExcluded(parser)) {
        parser.skipChildren();
        continue;
      }
      String member = quoted(name) + ':' + value(parser);
      members.put(name, member);
      inOrder.append(inOrder.isEmpty() ? "" : ",").append(member);
    }
    return '{' + (sorted ? String.join(",", members.values()) : inOrder.toString()) + '}';
  }

  private String array(JsonParser parser) throws IOException {
    StringBuilder elements = new StringBuilder();
    while (parser.nextToken() != JsonToken.END_ARRAY) {
      if (isExcluded(parser)) {
        parser.skipChildren();
        continue;
      }
      elements.append(elements.isEmpty() ? "" : ",").append(value(parser));
    }
    return "[" + elements + ']';
  }

  private boolean isExcluded(JsonParser parser) {
    return !excluded.isEmpty() && excluded.contains(parser.getParsingContext().pathAsPointer());
  }

  private static String scalar(JsonParser parser) throws IOException {
    return parser.currentToken() == JsonToken.VALUE_STRING
        ? quoted(parser.getText())
        : parser.getText();
  }

  private static String quoted(String text) throws IOException {
    StringWriter json = new StringWriter(text.length() + 2);
    try (JsonGenerator generator = JSON.createGenerator(json)) {
      generator.writeString(text);
    }
    return json.toString();
  }
}
