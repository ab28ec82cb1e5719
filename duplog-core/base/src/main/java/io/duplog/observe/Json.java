package io.duplog.observe;

import com.fasterxml.jackson.annotation.JsonAutoDetect.Visibility;
import com.fasterxml.jackson.annotation.JsonInclude.Include;
import com.fasterxml.jackson.annotation.JsonInclude.Value;
import com.fasterxml.jackson.annotation.JsonSetter;
import com.fasterxml.jackson.annotation.Nulls;
import com.fasterxml.jackson.annotation.PropertyAccessor;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.json.JsonWriteFeature;
import com.fasterxml.jackson.databind.DeserializationContext;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JavaType;
import com.fasterxml.jackson.databind.ObjectWriter;
import com.fasterxml.jackson.databind.PropertyNamingStrategies;
import com.fasterxml.jackson.databind.deser.DeserializationProblemHandler;
import com.fasterxml.jackson.databind.deser.ValueInstantiator;
import com.fasterxml.jackson.databind.deser.std.StdDeserializer;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.module.SimpleModule;
import com.fasterxml.jackson.databind.ser.std.ToStringSerializer;
import com.google.common.base.Defaults;
import java.io.IOException;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Writes values as JSON, and reads records from JSON. The members of a record are named {@code
 * like_this}. Members that are null or an empty text are not written. Thread-safe.
 *
 * <p>Reading is lenient, so that programs of different versions understand each other. Unknown
 * members are ignored. A member that is missing, or has an unexpected type, is an empty text, list
 * or map, the number 0, or null. Texts are {@link Printable}.
 */
public final class Json {
  private static final JsonSetter.Value EMPTY = JsonSetter.Value.forValueNulls(Nulls.AS_EMPTY);

  private static final JsonMapper MAPPER =
      JsonMapper.builder()
          .disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
          .propertyNamingStrategy(PropertyNamingStrategies.SNAKE_CASE)
          .visibility(PropertyAccessor.ALL, Visibility.NONE)
          .visibility(PropertyAccessor.FIELD, Visibility.ANY)
          .visibility(PropertyAccessor.CREATOR, Visibility.ANY)
          .defaultPropertyInclusion(Value.construct(Include.NON_NULL, Include.ALWAYS))
          .withConfigOverride(
              String.class,
              text ->
                  text.setSetterInfo(EMPTY)
                      .setInclude(Value.construct(Include.NON_EMPTY, Include.ALWAYS)))
          .withConfigOverride(List.class, list -> list.setSetterInfo(EMPTY))
          .withConfigOverride(Map.class, map -> map.setSetterInfo(EMPTY))
          .addModule(
              new SimpleModule()
                  .addSerializer(Instant.class, ToStringSerializer.instance)
                  .addDeserializer(String.class, new TextReader())
                  .addDeserializer(Instant.class, new TimeReader()))
          .addHandler(new Leniency())
          .build();

  private static final ObjectWriter ASCII = MAPPER.writer().with(JsonWriteFeature.ESCAPE_NON_ASCII);
  private static final ObjectWriter PRETTY = MAPPER.writerWithDefaultPrettyPrinter();

  private Json() {}

  /**
   * Returns a value as JSON on one line.
   *
   * @param value a record, a {@link JsonObject}, a map or a list of values, a text, a time, a
   *     number, a boolean or null
   */
  public static String render(@Nullable Object value) {
    return render(value, MAPPER.writer());
  }

  /** Returns a value as JSON on one line, with all non-ASCII characters escaped. */
  public static String ascii(@Nullable Object value) {
    return render(value, ASCII);
  }

  /** Returns a value as indented JSON on several lines, for human readers. */
  public static String pretty(@Nullable Object value) {
    return render(value, PRETTY);
  }

  private static String render(@Nullable Object value, ObjectWriter writer) {
    try {
      return writer.writeValueAsString(value);
    } catch (JsonProcessingException e) {
      throw new IllegalStateException("no JSON can be made of " + value, e);
    }
  }

  /** Whether the bytes are exactly one JSON value. */
  public static boolean isValue(byte[] bytes) {
    try (JsonParser parser = MAPPER.createParser(bytes)) {
      if (parser.nextToken() == null) {
        return false;
      }
      parser.skipChildren();
      parser.finishToken();
      return parser.nextToken() == null;
    } catch (IOException e) {
      return false;
    }
  }

  /**
   * Reads a record.
   *
   * @return null if the text is no JSON object
   * @throws IOException if the text is not JSON
   */
  public static <T> @Nullable T read(String text, Class<T> type) throws IOException {
    return MAPPER.readValue(text, type);
  }

  /** Returns the value used for a member that is missing or has an unexpected type. */
  private static @Nullable Object emptyOf(Class<?> type) {
    if (type == String.class) {
      return "";
    }
    return type == List.class
        ? List.of()
        : type == Map.class ? Map.of() : Defaults.defaultValue(type);
  }

  private static final class Leniency extends DeserializationProblemHandler {
    private static @Nullable Object skip(JsonParser parser, Class<?> type) throws IOException {
      parser.skipChildren();
      return emptyOf(type);
    }

    @Override
    public @Nullable Object handleUnexpectedToken(
        DeserializationContext context,
        JavaType type,
        JsonToken token,
        JsonParser parser,
        String failure)
        throws IOException {
      return skip(parser, type.getRawClass());
    }

    @Override
    public @Nullable Object handleMissingInstantiator(
        DeserializationContext context,
        Class<?> type,
        ValueInstantiator instantiator,
        JsonParser parser,
        String failure)
        throws IOException {
      return skip(parser, type);
    }

    @Override
    public @Nullable Object handleWeirdStringValue(
        DeserializationContext context, Class<?> type, String value, String failure) {
      return emptyOf(type);
    }

    @Override
    public @Nullable Object handleWeirdNumberValue(
        DeserializationContext context, Class<?> type, Number value, String failure) {
      return emptyOf(type);
    }
  }

  private static final class TextReader extends StdDeserializer<String> {
    private static final long serialVersionUID = 1;

    TextReader() {
      super(String.class);
    }

    @Override
    public String deserialize(JsonParser parser, DeserializationContext context)
        throws IOException {
      String text = parser.getValueAsString("");
      parser.skipChildren();
      return Printable.of(text);
    }

    @Override
    public Object getEmptyValue(DeserializationContext context) {
      return "";
    }
  }

  private static final class TimeReader extends StdDeserializer<Instant> {
    private static final long serialVersionUID = 1;

    TimeReader() {
      super(Instant.class);
    }

    @Override
    public @Nullable Instant deserialize(JsonParser parser, DeserializationContext context)
        throws IOException {
      String text = parser.getValueAsString("");
      parser.skipChildren();
      try {
        return Instant.parse(text);
      } catch (DateTimeParseException e) {
        return null;
      }
    }
  }
}
