package io.duplog.config;

import com.google.common.base.Splitter;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The documentation of a configuration, made of the {@link Key}s themselves: a YAML file that holds
 * every key with its default, and above it what it means. A key that may stay away and has no
 * default is commented out; one that must be there shows its example.
 */
public final class Reference {
  private static final int WIDTH = 96;

  private final StringBuilder text = new StringBuilder();

  private Reference() {}

  /** The reference of a whole file, with a newline at its end. */
  public static String of(Class<? extends Record> type) {
    Reference reference = new Reference();
    reference.section(type, "", "");
    return reference.text.toString();
  }

  /**
   * @param indent of every line
   * @param firstIndent of the first key, which may hold a list's dash
   */
  private void section(Class<?> type, String indent, String firstIndent) {
    String keyIndent = firstIndent;
    for (RecordComponent component : type.getRecordComponents()) {
      Key key = component.getAnnotation(Key.class);
      if (key == null) {
        throw new IllegalStateException(component + " lacks its @Key");
      }
      if (keyIndent.isEmpty() && text.length() > 0) {
        text.append('\n');
      }
      key(component, key, indent, keyIndent);
      keyIndent = indent;
    }
  }

  private void key(RecordComponent component, Key key, String indent, String keyIndent) {
    String name = KeyNames.ofComponent(component.getName());
    Class<?> type = component.getType();
    if (key.whereWanted()) {
      comment(indent, key.doc());
      Reference section = new Reference();
      section.section(type, "  ", "  ");
      commentedOut(name + ":\n" + section.text, indent);
    } else if (Values.isSection(type)) {
      comment(indent, key.doc());
      text.append(keyIndent).append(name).append(":\n");
      section(type, indent + "  ", indent + "  ");
    } else if (type == List.class && Values.isSection(elementType(component))) {
      comment(indent, key.doc());
      boolean required = key.defaultValue().equals(Key.NONE);
      text.append(keyIndent).append(name).append(required ? ":\n" : ": []\n");
      if (required) {
        section(elementType(component), indent + "    ", indent + "  - ");
      } else {
        // The file must still give the defaults.
        Reference element = new Reference();
        element.section(elementType(component), "    ", "  - ");
        commentedOut(element.text.toString(), indent);
      }
    } else {
      comment(indent, key.doc() + " (" + form(component, key) + ")");
      boolean absent = key.defaultValue().equals(Key.NONE) && isOptional(component);
      String shown = key.defaultValue().equals(Key.NONE) ? key.example() : key.defaultValue();
      text.append(absent ? keyIndent + "# " : keyIndent)
          .append(name)
          .append(": ")
          .append(shown(type, shown))
          .append('\n');
    }
  }

  private void commentedOut(String lines, String indent) {
    for (String line : Splitter.on('\n').omitEmptyStrings().split(lines)) {
      text.append(indent).append("# ").append(line).append('\n');
    }
  }

  private static String shown(Class<?> type, String value) {
    if (type == Map.class) {
      return "{" + value + "}";
    }
    return type == List.class ? "[" + value + "]" : quoted(value);
  }

  private static String form(RecordComponent component, Key key) {
    Class<?> type = component.getType();
    String form =
        type == List.class
            ? "list of " + Values.describe(elementType(component), key.unit())
            : type == Map.class ? "map of text" : Values.describe(type, key.unit());
    if (!key.defaultValue().equals(Key.NONE)) {
      return form;
    }
    return form + (isOptional(component) ? ", optional" : ", required");
  }

  private static boolean isOptional(RecordComponent component) {
    return component.getAnnotatedType().isAnnotationPresent(Nullable.class);
  }

  private static Class<?> elementType(RecordComponent component) {
    return (Class<?>) ((ParameterizedType) component.getGenericType()).getActualTypeArguments()[0];
  }

  private void comment(String indent, String doc) {
    for (String line : wrapped(doc, WIDTH - indent.length())) {
      text.append(indent).append("# ").append(line).append('\n');
    }
  }

  private static List<String> wrapped(String doc, int width) {
    List<String> lines = new ArrayList<>();
    StringBuilder line = new StringBuilder();
    for (String word : Splitter.on(' ').split(doc)) {
      if (line.length() > 0 && line.length() + 1 + word.length() > width) {
        lines.add(line.toString());
        line.setLength(0);
      }
      line.append(line.length() == 0 ? "" : " ").append(word);
    }
    lines.add(line.toString());
    return lines;
  }

  /** Plain where YAML reads it back as it is. */
  private static String quoted(String value) {
    boolean plain = value.matches("[A-Za-z0-9/_.$][A-Za-z0-9/_.${}:-]*") && !value.endsWith(":");
    return plain ? value : '"' + value.replace("\\", "\\\\").replace("\"", "\\\"") + '"';
  }
}
