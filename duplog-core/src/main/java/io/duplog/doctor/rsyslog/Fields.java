package io.duplog.doctor.rsyslog;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * What a template puts into a line.
 *
 * @param properties their names in lower case, in order
 * @param start the text before the first message property, with properties as {@code %name%}
 * @param endsLine whether the line ends with a line feed
 */
record Fields(List<String> properties, String start, boolean endsLine) {
  private static final Pattern PROPERTY = Pattern.compile("%([^:%]+)(:[^%]*)?%");

  /** With or without the zone of a link-local address, which the option leaves out. */
  private static final Pattern SENDER =
      Pattern.compile("%fromhost-ip(:F,37:1)?% ", Pattern.CASE_INSENSITIVE);

  /** Null where the template is of a kind that doesn't name them: subtree, plugin. */
  static @Nullable Fields of(Statement template) {
    String type = template.get("type", "").toLowerCase(Locale.ROOT);
    String string = template.get("string");
    if (string != null && (type.equals("string") || type.isEmpty())) {
      return ofString(string);
    }
    return type.equals("list") || !template.body().isEmpty() ? ofList(template.body()) : null;
  }

  private static Fields ofString(String string) {
    List<String> properties = new ArrayList<>();
    Matcher matcher = PROPERTY.matcher(string);
    while (matcher.find()) {
      properties.add(name(matcher.group(1)));
    }
    // In an old-style template the backslash is still there.
    return new Fields(properties, string, string.endsWith("\n") || string.endsWith("\\n"));
  }

  private static Fields ofList(List<Statement> body) {
    List<String> properties = new ArrayList<>();
    StringBuilder line = new StringBuilder();
    for (Statement part : body) {
      if (part.is("property")) {
        String name = name(part.get("name", ""));
        properties.add(name);
        line.append('%').append(name).append('%');
      } else if (part.is("constant")) {
        line.append(part.get("value", ""));
      }
    }
    String text = line.toString();
    return new Fields(properties, text, text.endsWith("\n") || text.endsWith("\\n"));
  }

  /** Old names of properties are the new ones with other capitals, or without hyphens. */
  private static String name(String written) {
    return written.strip().toLowerCase(Locale.ROOT);
  }

  boolean beginsWithSender() {
    return SENDER.matcher(start).lookingAt();
  }
}
