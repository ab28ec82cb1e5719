package io.duplog.observe;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Reads JSON leniently, so that an older program can read a newer document. A missing value, or a
 * value of an unexpected type, counts as empty. This allows an older program to read a newer
 * document.
 *
 * @param value a map, a list, a string, a number, a boolean or null
 */
public record JsonValue(@Nullable Object value) {
  private static final JsonFactory JSON_FACTORY = new JsonFactory();

  /**
   * Parses a JSON document.
   *
   * @throws IOException if the text is not JSON
   */
  public static JsonValue parse(String text) throws IOException {
    try (JsonParser parser = JSON_FACTORY.createParser(text)) {
      parser.nextToken();
      return new JsonValue(read(parser));
    }
  }

  /**
   * Parses an object with a member that is too long a list to hold in memory.
   *
   * @param list name of the member with the list
   * @param elementConsumer called with each element of the list, before this method returns
   * @return the object without the list
   * @throws IOException if the text is not JSON
   */
  public static JsonValue parse(String text, String list, Consumer<JsonValue> elementConsumer)
      throws IOException {
    try (JsonParser parser = JSON_FACTORY.createParser(text)) {
      Map<String, @Nullable Object> members = new LinkedHashMap<>();
      if (parser.nextToken() != JsonToken.START_OBJECT) {
        return new JsonValue(read(parser));
      }
      while (parser.nextToken() != JsonToken.END_OBJECT) {
        String name = parser.currentName();
        if (parser.nextToken() == JsonToken.START_ARRAY && name.equals(list)) {
          while (parser.nextToken() != JsonToken.END_ARRAY) {
            elementConsumer.accept(new JsonValue(read(parser)));
          }
        } else {
          members.put(name, read(parser));
        }
      }
      return new JsonValue(members);
    }
  }

  private static @Nullable Object read(JsonParser parser) throws IOException {
    JsonToken token = parser.currentToken();
    if (token == JsonToken.START_OBJECT) {
      Map<String, @Nullable Object> members = new LinkedHashMap<>();
      while (parser.nextToken() != JsonToken.END_OBJECT) {
        String name = parser.currentName();
        parser.nextToken();
        members.put(name, read(parser));
      }
      return members;
    }
    if (token == JsonToken.START_ARRAY) {
      List<@Nullable Object> elements = new ArrayList<>();
      while (parser.nextToken() != JsonToken.END_ARRAY) {
        elements.add(read(parser));
      }
      return elements;
    }
    if (token == JsonToken.VALUE_NUMBER_INT || token == JsonToken.VALUE_NUMBER_FLOAT) {
      return parser.getNumberValue();
    }
    if (token == JsonToken.VALUE_TRUE || token == JsonToken.VALUE_FALSE) {
      return token == JsonToken.VALUE_TRUE;
    }
    return token == JsonToken.VALUE_STRING ? parser.getText() : null;
  }

  /** Returns the member of an object, or an empty value if the object has no such member. */
  public JsonValue at(String name) {
    return new JsonValue(value instanceof Map<?, ?> members ? members.get(name) : null);
  }

  /** Whether the value exists and is not null. */
  public boolean exists() {
    return value != null;
  }

  /** Returns the elements of an array, or an empty list if the value is not an array. */
  public List<JsonValue> list() {
    return value instanceof List<?> elements
        ? elements.stream().map(JsonValue::new).toList()
        : List.of();
  }

  /**
   * Returns the string without characters that could control a terminal, or an empty text if the
   * value is not a string.
   */
  public String text() {
    return value instanceof String text ? Printable.of(text) : "";
  }

  /** Returns the value as a number, or 0 if it is not a number. */
  public double number() {
    return value instanceof Number number ? number.doubleValue() : 0;
  }

  public boolean isTrue() {
    return Boolean.TRUE.equals(value);
  }
}
