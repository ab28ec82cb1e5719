package io.duplog.config;

import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

/**
 * Generates the reference of a configuration from its {@link Key}s: a YAML file with every key, its
 * default and its meaning. An optional key without a default is commented out; a required key has
 * its example as the value.
 */
public final class Reference {
  private static final int LINE_WIDTH = 96;

  /** Text that the headers of all files have in common. */
  private static final String FORM =
      """

      Write only the keys that you change. Each key below has its default. A key without a default is
      marked "required" and has an example, or is marked "optional" and commented out.

      duration: 250ms, 10s, 10m, 1h, 2d       size: 512B, 64KiB, 4MiB, 1GiB
      Any value may be ${env:NAME} or ${file:/path}, or contain ${hostname}.
      """;

  private final StringBuilder text = new StringBuilder();

  private Reference() {}

  /**
   * Returns the documentation of a whole file as YAML, ending with a newline.
   *
   * @param about lines that say where the file belongs, how to check it and when a change applies
   */
  public static String of(Class<? extends Record> type, String about) {
    Reference reference = new Reference();
    (about + FORM)
        .lines()
        .forEach(line -> reference.text.append(line.isEmpty() ? "#\n" : "# " + line + "\n"));
    reference.section(type, "", "");
    return reference.text.toString();
  }

  /**
   * @param indent indentation of every line
   * @param firstIndent indentation of the first key, which may contain the dash of a list element
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
      appendComment(indent, key.doc() + " (" + typeDescription(component) + ")");
      boolean isCommentedOut = !component.hasDefault() && component.isOptional();
      String shown = component.hasDefault() ? key.defaultValue() : key.example();
      text.append(isCommentedOut ? keyIndent + "# " : keyIndent)
          .append(component.name() + ": " + shown(component.type(), shown) + "\n");
      return;
    }
    appendComment(indent, key.doc());
    if (!key.sameAs().isEmpty()) {
      text.append(
          keyIndent + "# " + component.name() + ": # The same keys as " + key.sameAs() + ".\n");
      return;
    }
    if (key.whereWanted()) {
      appendCommentedOut(component.name() + ":\n" + sectionText(component, "  ", "  "), indent);
      return;
    }
    // The list's elements are only an example, so the file itself gives the default: an empty list.
    boolean isEmptyList = isList && component.hasDefault();
    text.append(keyIndent + component.name() + (isEmptyList ? ": []\n" : ":\n"));
    if (isEmptyList) {
      appendCommentedOut(sectionText(component, "    ", "  - "), indent);
    } else {
      text.append(
          isList
              ? sectionText(component, indent + "    ", indent + "  - ")
              : sectionText(component, indent + "  ", indent + "  "));
    }
  }

  private static String sectionText(Component component, String indent, String firstIndent) {
    Reference reference = new Reference();
    reference.section(component.elementType(), indent, firstIndent);
    return reference.text.toString();
  }

  private void appendCommentedOut(String lines, String indent) {
    lines.lines().forEach(line -> text.append(indent + "# " + line + "\n"));
  }

  private static String shown(Class<?> type, String value) {
    if (type == Map.class) {
      return "{" + value + "}";
    }
    return type == List.class ? "[" + value + "]" : quoted(value);
  }

  private static String typeDescription(Component component) {
    String description = Values.describe(component.elementType(), component.key().unit());
    if (component.type() == List.class) {
      description = "list of " + description;
    } else if (component.type() == Map.class) {
      description = Values.isSection(component.elementType()) ? "map of sections" : "map of text";
    }
    if (component.hasDefault()) {
      return description;
    }
    return description + (component.isOptional() ? ", optional" : ", required");
  }

  private void appendComment(String indent, String doc) {
    int width = LINE_WIDTH - indent.length();
    Pattern.compile("\\S.{0,%d}(?= |$)|\\S+".formatted(width - 1))
        .matcher(doc)
        .results()
        .forEach(line -> text.append(indent + "# " + line.group() + "\n"));
  }

  /** Returns the value in quotes, if YAML would change an unquoted value. */
  private static String quoted(String value) {
    boolean needsNoQuotes =
        value.matches("[A-Za-z0-9/_.$][A-Za-z0-9/_.${}:-]*") && !value.endsWith(":");
    return needsNoQuotes ? value : '"' + value.replace("\\", "\\\\").replace("\"", "\\\"") + '"';
  }
}
