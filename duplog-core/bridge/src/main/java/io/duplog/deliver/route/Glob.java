package io.duplog.deliver.route;

import com.google.common.base.Ascii;
import java.nio.charset.StandardCharsets;

/**
 * A pattern such as {@code fw-*} that a routing rule or a tap compares with a whole name. A single
 * {@code -} means a missing name, as in a header of RFC 5424.
 *
 * @param pattern as written
 */
public record Glob(String pattern) {

  /**
   * Reads a pattern.
   *
   * @throws IllegalArgumentException with a message that says what is allowed
   */
  public static Glob parse(String text) {
    // A header's names have neither spaces nor characters beyond ASCII.
    if (!text.matches("[!-~]+")) {
      throw new IllegalArgumentException(
          "must be a name without spaces, with * and ? as wildcards");
    }
    return new Glob(text);
  }

  /** Whether the pattern is {@code -}, which matches only a missing name. */
  boolean isNothing() {
    return pattern.equals("-");
  }

  /** Whether the pattern is a plain name without wildcards. */
  boolean isName() {
    return pattern.indexOf('*') < 0 && pattern.indexOf('?') < 0;
  }

  /** Whether the pattern matches the name, ignoring the case of ASCII letters. */
  public boolean matches(String name) {
    byte[] data = name.getBytes(StandardCharsets.UTF_8);
    return matches(data, 0, data.length, true);
  }

  /**
   * Whether the pattern matches a name. Takes at most pattern length times name length steps, and
   * allocates nothing.
   */
  boolean matches(byte[] data, int start, int end, boolean ignoreCase) {
    int length = pattern.length();
    int at = start;
    int p = 0;
    int star = -1;
    int starAt = start;
    while (at < end) {
      if (p < length && pattern.charAt(p) == '*') {
        star = p++;
        starAt = at;
      } else if (p < length && isSame(pattern.charAt(p), data[at], ignoreCase)) {
        p++;
        at++;
      } else if (star >= 0) {
        p = star + 1;
        at = ++starAt; // the last star takes one byte more
      } else {
        return false;
      }
    }
    while (p < length && pattern.charAt(p) == '*') {
      p++;
    }
    return p == length;
  }

  private static boolean isSame(char expected, byte there, boolean ignoreCase) {
    return expected == '?'
        || expected == there
        || (ignoreCase && Ascii.toLowerCase(expected) == Ascii.toLowerCase((char) there));
  }
}
