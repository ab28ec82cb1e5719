package io.duplog.observe;

import java.util.regex.Pattern;

/** Makes foreign text safe to show in one line of a log, a terminal or a page. */
public final class Printable {
  /** Matches all control characters, including those beyond ASCII, which some terminals obey. */
  private static final Pattern CONTROL = Pattern.compile("[\\p{Cntrl}\\x{80}-\\x{9f}]");

  private Printable() {}

  /** Returns the text with each control character replaced by a question mark. */
  public static String of(String text) {
    return CONTROL.matcher(text).replaceAll("?");
  }
}
