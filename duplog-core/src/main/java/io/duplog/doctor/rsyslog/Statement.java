package io.duplog.doctor.rsyslog;

import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * An object of rsyslog's configuration, such as {@code action(type="omprog" …)}, or what an
 * old-style directive says in its stead.
 *
 * @param type in lower case
 * @param parameters by their names in lower case, without quotes and escapes
 * @param body what its braces hold, as those of a ruleset or a template
 * @param place where it stands: {@code rsyslog.conf:7}
 */
record Statement(String type, Map<String, String> parameters, List<Statement> body, String place) {

  /** Whatever the capitals of its name; null where it is not there. */
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

  /** A binary value, as rsyslog understands it. */
  boolean isOn(String name, String absent) {
    return switch (get(name, absent).toLowerCase(Locale.ROOT)) {
      case "on", "yes", "true", "1" -> true;
      default -> false;
    };
  }

  /** Where it stands, for the end of a finding. */
  String at() {
    return " (" + place + ")";
  }
}
