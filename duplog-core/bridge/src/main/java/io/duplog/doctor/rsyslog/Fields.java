package io.duplog.doctor.rsyslog;

import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The content of an rsyslog template: the properties and fixed texts that it writes into each line.
 *
 * @param properties their names in lower case, in order
 * @param line with properties as {@code %name%}
 */
record Fields(List<String> properties, String line) {
  private static final Pattern PROPERTY = Pattern.compile("%([^:%]+)(:[^%]*)?%");

  /**
   * The sender's address at a line's beginning; {@code F,37:1} cuts off the zone of an IPv6
   * address.
   */
  private static final Pattern SENDER =
      Pattern.compile("%fromhost-ip(:F,37:1)?% ", Pattern.CASE_INSENSITIVE);

  /** Returns a template's fields, or null if its type, such as subtree, names no properties. */
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

  /** Parses the properties in a template's line, and converts their names to lower case. */
  private static Fields ofLine(String line) {
    List<String> names =
        PROPERTY
            .matcher(line)
            .results()
            .map(property -> property.group(1).strip().toLowerCase(Locale.ROOT))
            .toList();
    return new Fields(names, line);
  }

  /** Whether the line ends in a line feed, or in {@code \n} as in an old-style template. */
  boolean endsLine() {
    return line.endsWith("\n") || line.endsWith("\\n");
  }

  boolean beginsWithSender() {
    return SENDER.matcher(line).lookingAt();
  }
}
