package io.duplog.config;

import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

/**
 * Writes the documentation of a configuration from its {@link Key}s: a YAML file that holds every
 * key with its default, and its meaning above it. A key that is optional and has no default is
 * commented out; a key that is required shows its example.
 */
public final class Reference {
  private static final int WIDTH = 96;

  private final StringBuilder text = new StringBuilder();

  private Reference() {}

  /** Returns the documentation of a whole file as YAML, ending with a newline. */
  public static String of(Class<? extends Record> type) {
    Reference reference = new Reference();
    reference.section(type, "", "");
    return reference.text.toString();
  }

  /**
   * @param indent indentation of every line
   * @param firstIndent indentation of the first key, which may contain a list's dash
   */
  private void section(Class<?> type, String indent, String firstIndent) {
    String keyIndent = firstIndent;
    for (Component component : Component.of(type).values()) {
      if (keyIndent.isEmpty() && text.length() > 0) {
        text.append('\n');
      }
      key(component, indent, keyIndent);
      keyIndent = indent;
    }
  }

  private void key(Component component, String indent, String keyIndent) {
    Key key = component.key();
    boolean isList = component.type() == List.class && Values.isSection(component.elementType());
    if (!component.isSection() && !isList) {
      comment(indent, key.doc() + " (" + form(component) + ")");
      boolean absent = !component.hasDefault() && component.isOptional();
      String shown = component.hasDefault() ? key.defaultValue() : key.example();
      text.append(absent ? keyIndent + "# " : keyIndent)
          .append(component.name() + ": " + shown(component.type(), shown) + "\n");
      return;
    }
    comment(indent, key.doc());
    if (key.whereWanted()) {
      commentedOut(component.name() + ":\n" + part(component, "  ", "  "), indent);
      return;
    }
    // The list's elements are only an example, so the file itself gives the default: an empty list.
    boolean isEmptyList = isList && component.hasDefault();
    text.append(keyIndent + component.name() + (isEmptyList ? ": []\n" : ":\n"));
    if (isEmptyList) {
      commentedOut(part(component, "    ", "  - "), indent);
    } else {
      text.append(
          isList
              ? part(component, indent + "    ", indent + "  - ")
              : part(component, indent + "  ", indent + "  "));
    }
  }

  private static String part(Component component, String indent, String firstIndent) {
    Reference part = new Reference();
    part.section(component.elementType(), indent, firstIndent);
    return part.text.toString();
  }

  private void commentedOut(String lines, String indent) {
    lines.lines().forEach(line -> text.append(indent + "# " + line + "\n"));
  }

  private static String shown(Class<?> type, String value) {
    if (type == Map.class) {
      return "{" + value + "}";
    }
    return type == List.class ? "[" + value + "]" : quoted(value);
  }

  private static String form(Component component) {
    String form = Values.describe(component.elementType(), component.key().unit());
    if (component.type() == List.class) {
      form = "list of " + form;
    } else if (component.type() == Map.class) {
      form = "map of text";
    }
    if (component.hasDefault()) {
      return form;
    }
    return form + (component.isOptional() ? ", optional" : ", required");
  }

  private void comment(String indent, String doc) {
    int width = WIDTH - indent.length();
    Pattern.compile("\\S.{0,%d}(?= |$)|\\S+".formatted(width - 1))
        .matcher(doc)
        .results()
        .forEach(line -> text.append(indent + "# " + line.group() + "\n"));
  }

  /** Returns the value in quotes, unless YAML reads the value unchanged without them. */
  private static String quoted(String value) {
    boolean plain = value.matches("[A-Za-z0-9/_.$][A-Za-z0-9/_.${}:-]*") && !value.endsWith(":");
    return plain ? value : '"' + value.replace("\\", "\\\\").replace("\"", "\\\"") + '"';
  }
}
