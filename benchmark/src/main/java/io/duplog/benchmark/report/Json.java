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
 * Reads and writes the benchmark's JSON files, such as the published results. A missing list or map
 * is read as an empty one, and unknown fields are ignored. Thread-safe.
 */
public final class Json {
  private static final JsonSetter.Value EMPTY_IF_MISSING =
      JsonSetter.Value.forValueNulls(Nulls.AS_EMPTY);

  private static final ObjectMapper MAPPER =
      JsonMapper.builder()
          .disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
          .propertyNamingStrategy(PropertyNamingStrategies.SNAKE_CASE)
          .visibility(PropertyAccessor.ALL, Visibility.NONE)
          .visibility(PropertyAccessor.FIELD, Visibility.ANY)
          .visibility(PropertyAccessor.CREATOR, Visibility.ANY)
          .withConfigOverride(List.class, config -> config.setSetterInfo(EMPTY_IF_MISSING))
          .withConfigOverride(Map.class, config -> config.setSetterInfo(EMPTY_IF_MISSING))
          .build();

  private Json() {}

  /**
   * Reads a whole file.
   *
   * @throws IOException if the file can't be read or has another structure; its message is one line
   *     that names the file
   */
  public static <T> T read(Path file, Class<T> type) throws IOException {
    if (!Files.isRegularFile(file)) {
      throw new IOException(file + " does not exist");
    }
    try {
      return MAPPER.readValue(file.toFile(), type);
    } catch (JsonProcessingException e) {
      String cause = e.getOriginalMessage().lines().findFirst().orElse("");
      throw new IOException(file + " can't be read: " + cause, e);
    }
  }

  /**
   * Reads a resource of this program.
   *
   * @param name the resource's name, in the package of {@code type}
   */
  public static <T> T readResource(String name, Class<T> type) throws IOException {
    return MAPPER.readValue(Resources.toByteArray(Resources.getResource(type, name)), type);
  }

  /** Writes an object as JSON to a file, and replaces the file's previous content. */
  public static void write(Path file, Object content) throws IOException {
    MAPPER.writerWithDefaultPrettyPrinter().writeValue(file.toFile(), content);
  }
}
