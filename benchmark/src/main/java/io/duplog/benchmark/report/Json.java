package io.duplog.benchmark.report;

import com.fasterxml.jackson.annotation.JsonAutoDetect.Visibility;
import com.fasterxml.jackson.annotation.JsonSetter;
import com.fasterxml.jackson.annotation.Nulls;
import com.fasterxml.jackson.annotation.PropertyAccessor;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.PropertyNamingStrategies;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.google.common.io.Resources;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/**
 * The files of this program that other programs read: records, with {@code names_like_this}. A list
 * or a map that is missing is empty, and what is not known is passed over. Any thread.
 */
public final class Json {
  private static final JsonSetter.Value EMPTY = JsonSetter.Value.forValueNulls(Nulls.AS_EMPTY);

  private static final ObjectMapper MAPPER =
      JsonMapper.builder()
          .disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
          .propertyNamingStrategy(PropertyNamingStrategies.SNAKE_CASE)
          .visibility(PropertyAccessor.ALL, Visibility.NONE)
          .visibility(PropertyAccessor.FIELD, Visibility.ANY)
          .visibility(PropertyAccessor.CREATOR, Visibility.ANY)
          .withConfigOverride(List.class, config -> config.setSetterInfo(EMPTY))
          .withConfigOverride(Map.class, config -> config.setSetterInfo(EMPTY))
          .build();

  private Json() {}

  /**
   * Reads a whole file.
   *
   * @throws IOException in one line that names the file, where it can't be read or is of another
   *     kind
   */
  public static <T> T read(Path file, Class<T> type) throws IOException {
    if (!Files.isRegularFile(file)) {
      throw new IOException(file + " is not there");
    }
    try {
      return MAPPER.readValue(file.toFile(), type);
    } catch (JsonProcessingException e) {
      String cause = e.getOriginalMessage().lines().findFirst().orElse("");
      throw new IOException(file + " can't be read: " + cause, e);
    }
  }

  /**
   * The same from a file of this program.
   *
   * @param name beside the class that it is read into
   */
  public static <T> T readOwn(String name, Class<T> type) throws IOException {
    return MAPPER.readValue(Resources.toByteArray(Resources.getResource(type, name)), type);
  }

  /** Writes the file anew. */
  public static void write(Path file, Object content) throws IOException {
    MAPPER.writerWithDefaultPrettyPrinter().writeValue(file.toFile(), content);
  }
}
