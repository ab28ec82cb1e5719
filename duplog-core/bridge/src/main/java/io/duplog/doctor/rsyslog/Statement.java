package io.duplog.doctor.rsyslog;

import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * One statement of rsyslog's configuration, such as {@code action(type="omprog" …)}.
 *
 * @param type in lower case
 * @param parameters by their names in lower case, without quotes and escapes
 * @param body the statements in the braces of a ruleset or a template
 * @param place file and line, such as {@code rsyslog.conf:7}
 */
record Statement(String type, Map<String, String> parameters, List<Statement> body, String place) {

  /** Returns the value of a parameter, ignoring case in its name, or null if it is missing. */
  @Nullable String get(String name) {
    return parameters.get(name.toLowerCase(Locale.ROOT));
  }

  String get(String name, String absent) {
    String value = get(name);
    return value == null ? absent : value;
  }

  boolean is(String expected) {
    return type.equals(expected);
  }

  /** Whether a parameter is {@code on}, {@code yes}, {@code true} or {@code 1}, ignoring case. */
  boolean isOn(String name, String absent) {
    return switch (get(name, absent).toLowerCase(Locale.ROOT)) {
      case "on", "yes", "true", "1" -> true;
      default -> false;
    };
  }

  /** Returns the file and line of the statement in parentheses, for the end of a finding. */
  String at() {
    return " (" + place + ")";
  }
}
