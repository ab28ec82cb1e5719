package io.duplog.ingest.hec;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.json.JsonReadFeature;
import io.duplog.wire.EventHead;
import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.util.HashMap;
import java.util.Map;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Reads events, and gives them the defaults of a request and its token. Thread-safe. */
final class EventReader {
  /** Control characters and NUL are accepted, because messages have them. */
  private static final JsonFactory JSON =
      JsonFactory.builder().enable(JsonReadFeature.ALLOW_UNESCAPED_CONTROL_CHARS).build();

  private static final Pattern TIME = Pattern.compile("-?[0-9]{1,15}(\\.[0-9]{1,12})?");

  private final EventHead defaults;

  /**
   * @param defaults metadata for events that have none
   */
  EventReader(EventHead defaults) {
    this.defaults = defaults;
  }

  /** Returns a line of a raw request as an event. */
  HecEvent line(byte[] body, int start, int end) {
    EventHead head =
        new EventHead(
            defaults.time(),
            defaults.host(),
            defaults.source(),
            defaults.sourcetype(),
            defaults.index(),
            null,
            EventHead.Content.LINE);
    return new HecEvent(head, new String(body, start, end - start, UTF_8), Map.of());
  }

  /**
   * Reads an event.
   *
   * @return the event, or null if it is blank, which Splunk would reject
   * @throws UnusableEventException if it is no JSON object, has no event, or has nested fields
   */
  @Nullable HecEvent event(byte[] body, int start, int end) throws UnusableEventException {
    try (JsonParser parser = JSON.createParser(body, start, end - start)) {
      if (parser.nextToken() != JsonToken.START_OBJECT) {
        throw new UnusableEventException("not a JSON object");
      }
      return event(parser);
    } catch (JsonProcessingException e) {
      throw new UnusableEventException("invalid JSON: " + e.getOriginalMessage());
    } catch (IOException e) {
      throw new UncheckedIOException(e); // can't happen, because the body is in memory
    }
  }

  private @Nullable HecEvent event(JsonParser parser) throws IOException, UnusableEventException {
    String time = defaults.time();
    String host = defaults.host();
    String source = defaults.source();
    String sourcetype = defaults.sourcetype();
    String index = defaults.index();
    String fieldsJson = null;
    Map<String, String> fields = new HashMap<>();
    String text = null;
    EventHead.Content content = EventHead.Content.TEXT;
    while (parser.nextToken() == JsonToken.FIELD_NAME) {
      String name = parser.currentName();
      JsonToken value = parser.nextToken();
      switch (name) {
        case "time" -> time = time(parser);
        case "host" -> host = text(parser, host);
        case "source" -> source = text(parser, source);
        case "sourcetype" -> sourcetype = text(parser, sourcetype);
        case "index" -> index = text(parser, index);
        case "fields" -> {
          fields.clear();
          fieldsJson = fields(parser, fields);
        }
        case "event" -> {
          boolean isString = value == JsonToken.VALUE_STRING;
          content = isString ? EventHead.Content.TEXT : EventHead.Content.JSON;
          text = value == JsonToken.VALUE_NULL ? null : isString ? parser.getText() : json(parser);
        }
        default -> parser.skipChildren(); // Splunk ignores other members
      }
    }
    if (parser.currentToken() != JsonToken.END_OBJECT) {
      throw new UnusableEventException("not a complete JSON object");
    }
    if (text == null) {
      throw new UnusableEventException("no event in the JSON object");
    }
    if (text.isBlank()) {
      return null;
    }
    return new HecEvent(
        new EventHead(time, host, source, sourcetype, index, fieldsJson, content), text, fields);
  }

  /** Returns the time, or null if it is invalid: an event is not lost for a bad time. */
  private static @Nullable String time(JsonParser parser) throws IOException {
    String time = parser.currentToken().isScalarValue() ? parser.getText() : "";
    parser.skipChildren();
    return TIME.matcher(time).matches() ? time : null;
  }

  private static @Nullable String text(JsonParser parser, @Nullable String otherwise)
      throws IOException {
    boolean isText =
        parser.currentToken().isScalarValue() && parser.currentToken() != JsonToken.VALUE_NULL;
    String text = isText ? parser.getText() : "";
    parser.skipChildren();
    return text.isEmpty() ? otherwise : text;
  }

  /**
   * Returns the members of the object {@code fields} as JSON, and adds the single values to a map.
   */
  private static @Nullable String fields(JsonParser parser, Map<String, String> single)
      throws IOException, UnusableEventException {
    if (parser.currentToken() == JsonToken.VALUE_NULL) {
      return null;
    }
    if (parser.currentToken() != JsonToken.START_OBJECT) {
      throw new UnusableEventException("fields is no JSON object");
    }
    StringWriter members = new StringWriter();
    try (JsonGenerator generator = JSON.createGenerator(members)) {
      generator.writeStartObject();
      while (parser.nextToken() == JsonToken.FIELD_NAME) {
        String name = parser.currentName();
        JsonToken value = parser.nextToken();
        if (value == JsonToken.START_OBJECT) {
          throw new UnusableEventException("fields has a nested object: " + name);
        }
        generator.writeFieldName(name);
        if (value.isScalarValue()) {
          single.put(name, parser.getText());
        }
        copyValues(parser, generator, name);
      }
      generator.writeEndObject();
    }
    String json = members.toString();
    return json.length() == 2 ? null : json.substring(1, json.length() - 1);
  }

  private static void copyValues(JsonParser parser, JsonGenerator generator, String name)
      throws IOException, UnusableEventException {
    if (parser.currentToken() != JsonToken.START_ARRAY) {
      copyScalar(parser, generator);
      return;
    }
    generator.writeStartArray();
    while (parser.nextToken() != JsonToken.END_ARRAY) {
      if (!parser.currentToken().isScalarValue()) {
        throw new UnusableEventException("fields has a nested value: " + name);
      }
      copyScalar(parser, generator);
    }
    generator.writeEndArray();
  }

  /** Copies a value; a number keeps its digits, however many it has. */
  private static void copyScalar(JsonParser parser, JsonGenerator generator) throws IOException {
    if (parser.currentToken().isNumeric()) {
      generator.writeNumber(parser.getText());
    } else {
      generator.copyCurrentEvent(parser);
    }
  }

  /** Returns the current value as JSON without white space between its parts. */
  private static String json(JsonParser parser) throws IOException {
    StringWriter text = new StringWriter();
    try (JsonGenerator generator = JSON.createGenerator(text)) {
      int depth = 0;
      do {
        JsonToken token = parser.currentToken();
        depth += token.isStructStart() ? 1 : token.isStructEnd() ? -1 : 0;
        copyScalar(parser, generator);
      } while (depth > 0 && parser.nextToken() != null);
    }
    return text.toString();
  }
}
