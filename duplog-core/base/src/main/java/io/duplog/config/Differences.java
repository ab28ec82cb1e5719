package io.duplog.config;

import java.lang.reflect.RecordComponent;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Finds the keys whose values differ between two configurations, to name those that a restart would
 * change.
 */
public final class Differences {
  private final List<String> differingKeys = new ArrayList<>();

  private Differences() {}

  /**
   * Returns the full paths of the keys with different values, such as {@code sink.hec.token}, in
   * the file's order. A list that differs, or a section that only one of the two has, counts as a
   * single key.
   */
  public static <T extends Record> List<String> between(T one, T other) {
    Differences differences = new Differences();
    differences.compare(one, other, "");
    return differences.differingKeys;
  }

  private void compare(Record one, Record other, String path) {
    for (RecordComponent component : one.getClass().getRecordComponents()) {
      Object oneValue = value(one, component);
      Object otherValue = value(other, component);
      String key = path + Component.name(component);
      if (Values.isSection(component.getType()) && oneValue != null && otherValue != null) {
        compare((Record) oneValue, (Record) otherValue, key + ".");
      } else if (!Objects.equals(oneValue, otherValue)) {
        differingKeys.add(key);
      }
    }
  }

  private static @Nullable Object value(Record section, RecordComponent component) {
    try {
      component.getAccessor().setAccessible(true); // sections may be private
      return component.getAccessor().invoke(section);
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException("the component " + component + " can't be read", e);
    }
  }
}
