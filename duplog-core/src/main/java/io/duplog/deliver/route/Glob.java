package io.duplog.deliver.route;

import java.nio.charset.StandardCharsets;

/**
 * A pattern for a whole name, in which {@code *} stands for any characters and {@code ?} for one.
 *
 * @param pattern as written
 */
public record Glob(String pattern) {

  /**
   * Reads a pattern.
   *
   * @throws IllegalArgumentException that says what is allowed
   */
  public static Glob parse(String text) {
    // A name that a header may hold has neither spaces nor anything past ASCII.
    if (!text.matches("[!-~]+")) {
      throw new IllegalArgumentException(
          "must be a name without spaces, with * and ? as wildcards");
    }
    return new Glob(text);
  }

  /** The same, ready for use. */
  Matcher matcher(boolean ignoreCase) {
    return new Matcher(pattern.getBytes(StandardCharsets.US_ASCII), ignoreCase);
  }

  /** Matches bytes in at most pattern length times name length steps. */
  static final class Matcher {
    private final byte[] pattern;
    private final boolean ignoreCase;

    private Matcher(byte[] pattern, boolean ignoreCase) {
      this.pattern = pattern;
      this.ignoreCase = ignoreCase;
    }

    boolean matches(byte[] data, int start, int end) {
      int at = start;
      int p = 0;
      int star = -1;
      int starAt = start;
      while (at < end) {
        if (p < pattern.length && pattern[p] == '*') {
          star = p++;
          starAt = at;
        } else if (p < pattern.length && isSame(pattern[p], data[at])) {
          p++;
          at++;
        } else if (star >= 0) {
          p = star + 1;
          at = ++starAt; // let the last star have one byte more
        } else {
          return false;
        }
      }
      while (p < pattern.length && pattern[p] == '*') {
        p++;
      }
      return p == pattern.length;
    }

    private boolean isSame(byte expected, byte there) {
      return expected == '?'
          || expected == there
          || (ignoreCase && lower(expected) == lower(there));
    }

    private static int lower(byte c) {
      return c >= 'A' && c <= 'Z' ? c | 0x20 : c;
    }
  }
}
