package io.duplog.observe;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.PrettyPrinter;
import com.fasterxml.jackson.core.json.JsonWriteFeature;
import com.fasterxml.jackson.core.util.DefaultPrettyPrinter;
import java.io.IOException;
import java.io.StringWriter;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Builds a JSON object as text; members keep their insertion order. Not thread-safe. */
public final class JsonObject {
  private static final JsonFactory JSON_FACTORY = new JsonFactory();
  private static final JsonFactory ASCII_FACTORY =
      JsonFactory.builder().enable(JsonWriteFeature.ESCAPE_NON_ASCII).build();

  private final Map<String, @Nullable Object> members = new LinkedHashMap<>();

  /**
   * Adds a member.
   *
   * @param value a {@code JsonObject}, a map or a list of values, a text, a time, a number, a
   *     boolean or null
   */
  public JsonObject put(String name, @Nullable Object value) {
    members.put(name, value);
    return this;
  }

  /**
   * Returns a value as JSON on one line.
   *
   * @throws IllegalStateException if {@link #put} does not accept values of this type
   */
  public static String render(@Nullable Object value) {
    return render(value, JSON_FACTORY, null);
  }

  /** Returns a value as JSON on one line, with all non-ASCII characters escaped. */
  public static String ascii(@Nullable Object value) {
    return render(value, ASCII_FACTORY, null);
  }

  /** Returns a value as indented JSON on several lines, for human readers. */
  public static String pretty(@Nullable Object value) {
    return render(value, JSON_FACTORY, new DefaultPrettyPrinter());
  }

  private static String render(
      @Nullable Object value, JsonFactory factory, @Nullable PrettyPrinter printer) {
    StringWriter text = new StringWriter();
    try (JsonGenerator json = factory.createGenerator(text).setPrettyPrinter(printer)) {
      write(value, json);
    } catch (IOException e) {
      throw new IllegalStateException("writing to memory failed", e);
    }
    return text.toString();
  }

  private static void write(@Nullable Object value, JsonGenerator json) throws IOException {
    if (value instanceof JsonObject object) {
      write(object.members, json);
    } else if (value instanceof Map<?, ?> members) {
      json.writeStartObject();
      for (Map.Entry<?, ?> member : members.entrySet()) {
        json.writeFieldName(member.getKey().toString());
        write(member.getValue(), json);
      }
      json.writeEndObject();
    } else if (value instanceof List<?> elements) {
      json.writeStartArray();
      for (Object element : elements) {
        write(element, json);
      }
      json.writeEndArray();
    } else if (value instanceof Instant time) {
      json.writeString(time.toString());
    } else {
      json.writePOJO(value);
    }
  }
}
