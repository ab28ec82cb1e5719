package io.duplog.observe;

import com.fasterxml.jackson.annotation.JsonValue;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A JSON object whose members depend on the data, so that no record describes it; members keep
 * their insertion order. Null members are written. Not thread-safe.
 */
public final class JsonObject {
  private final Map<String, @Nullable Object> members = new LinkedHashMap<>();

  /**
   * Adds a member.
   *
   * @param value a value as {@link Json#render} takes it
   */
  public JsonObject put(String name, @Nullable Object value) {
    members.put(name, value);
    return this;
  }

  @JsonValue
  Map<String, @Nullable Object> members() {
    return members;
  }
}
