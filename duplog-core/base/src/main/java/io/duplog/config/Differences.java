package io.duplog.config;

import java.lang.reflect.RecordComponent;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Finds the keys in which two configurations of one type differ. */
public final class Differences {
  private final List<String> keys = new ArrayList<>();

  private Differences() {}

  /**
   * Returns the full paths of the keys with different values, such as {@code sink.hec.token}, in
   * the file's order; a list or a section that only one of the two has is named as a whole.
   */
  public static <T extends Record> List<String> between(T one, T other) {
    Differences differences = new Differences();
    differences.compare(one, other, "");
    return differences.keys;
  }

  private void compare(Record one, Record other, String path) {
    for (RecordComponent component : one.getClass().getRecordComponents()) {
      Object mine = value(one, component);
      Object theirs = value(other, component);
      String key = path + Component.name(component);
      if (Values.isSection(component.getType()) && mine != null && theirs != null) {
        compare((Record) mine, (Record) theirs, key + ".");
      } else if (!Objects.equals(mine, theirs)) {
        keys.add(key);
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
