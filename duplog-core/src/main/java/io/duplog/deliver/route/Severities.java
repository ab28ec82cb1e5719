package io.duplog.deliver.route;

import java.util.List;

/**
 * One severity or a range of them, both ends included: {@code err}, {@code emerg..warning}.
 *
 * @param first 0 (emerg) to 7 (debug), the graver end
 * @param last the other end
 */
public record Severities(int first, int last) {
  private static final List<String> NAMES =
      List.of("emerg", "alert", "crit", "err", "warning", "notice", "info", "debug");

  /**
   * Reads a name, or two with {@code ..} between them, in either order.
   *
   * @throws IllegalArgumentException that says what is allowed
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
