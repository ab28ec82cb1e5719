package io.duplog.deliver.route;

import java.util.List;

/**
 * One syslog severity, or a range such as {@code emerg..warning}, in a routing rule.
 *
 * @param first the graver end, included: 0 (emerg) to 7 (debug)
 * @param last the other end, included
 */
public record Severities(int first, int last) {
  private static final List<String> NAMES =
      List.of("emerg", "alert", "crit", "err", "warning", "notice", "info", "debug");

  /**
   * Reads a name, or two names with {@code ..} between them, in either order.
   *
   * @throws IllegalArgumentException with a message that says what is allowed
   */
  public static Severities parse(String text) {
    int dots = text.indexOf("..");
    int one = NAMES.indexOf(dots < 0 ? text : text.substring(0, dots));
    int other = dots < 0 ? one : NAMES.indexOf(text.substring(dots + 2));
    if (one < 0 || other < 0) {
      throw new IllegalArgumentException(
          "must be one of " + String.join(", ", NAMES) + ", or a range such as emerg..warning");
    }
    return new Severities(Math.min(one, other), Math.max(one, other));
  }

  /**
   * @param severity 0 (emerg) to 7 (debug)
   */
  static String name(int severity) {
    return NAMES.get(severity);
  }

  boolean contain(int severity) {
    return severity >= first && severity <= last;
  }
}
