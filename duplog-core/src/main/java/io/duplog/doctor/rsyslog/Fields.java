package io.duplog.doctor.rsyslog;

import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * What a template puts into a line.
 *
 * @param properties their names in lower case, in order
 * @param line with properties as {@code %name%}
 */
record Fields(List<String> properties, String line) {
  private static final Pattern PROPERTY = Pattern.compile("%([^:%]+)(:[^%]*)?%");

  /** With or without the zone of a link-local address, which the option leaves out. */
  private static final Pattern SENDER =
      Pattern.compile("%fromhost-ip(:F,37:1)?% ", Pattern.CASE_INSENSITIVE);

  /** Null where the template is of a kind that doesn't name them: subtree, plugin. */
  static @Nullable Fields of(Statement template) {
    String type = template.get("type", "").toLowerCase(Locale.ROOT);
    String string = template.get("string");
    if (string != null && (type.equals("string") || type.isEmpty())) {
      return ofLine(string);
    }
    return type.equals("list") || !template.body().isEmpty()
        ? ofLine(template.body().stream().map(Fields::text).collect(Collectors.joining()))
        : null;
  }

  private static String text(Statement part) {
    return part.is("property")
        ? "%" + part.get("name", "") + "%"
        : part.get("value", ""); // a constant
  }

  /** Old names of properties are the new ones with other capitals, or without hyphens. */
  private static Fields ofLine(String line) {
    List<String> names =
        PROPERTY
            .matcher(line)
            .results()
            .map(property -> property.group(1).strip().toLowerCase(Locale.ROOT))
            .toList();
    return new Fields(names, line);
  }

  /** In an old-style template the backslash is still there. */
  boolean endsLine() {
    return line.endsWith("\n") || line.endsWith("\\n");
  }

  boolean beginsWithSender() {
    return SENDER.matcher(line).lookingAt();
  }
}
