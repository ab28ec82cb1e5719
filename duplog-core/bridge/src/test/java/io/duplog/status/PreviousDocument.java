package io.duplog.status;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.google.common.io.Resources;
import io.duplog.observe.JsonValue;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.SortedSet;
import java.util.TreeSet;

/**
 * What a bridge wrote when strings named each member, recorded in the fixtures of these tests. A
 * change of the records must not change a name, because other programs read it.
 */
public final class PreviousDocument {
  private PreviousDocument() {}

  public static String read(String name) throws IOException {
    return Resources.toString(Resources.getResource(PreviousDocument.class, name), UTF_8).strip();
  }

  /**
   * Returns the paths of all members that have a value, such as {@code lag.streams[].state}. Null,
   * and an empty text, list or object, is no value.
   */
  public static SortedSet<String> names(String json) throws IOException {
    SortedSet<String> names = new TreeSet<>();
    add(JsonValue.parse(json).value(), "", names);
    return names;
  }

  private static void add(Object value, String path, SortedSet<String> names) {
    if (value instanceof Map<?, ?> members) {
      members.forEach((name, member) -> add(member, path + "." + name, names));
    } else if (value instanceof List<?> elements) {
      elements.forEach(element -> add(element, path + "[]", names));
    } else if (value != null && !value.equals("")) {
      names.add(path);
    }
  }
}
