package io.duplog.observe;

import java.util.regex.Pattern;

/** Text of others that is shown in one line of a log, a terminal or a page. */
public final class Printable {
  /** Includes the control characters beyond ASCII, which some terminals obey. */
  private static final Pattern CONTROL = Pattern.compile("[\\p{Cntrl}\\x{80}-\\x{9f}]");

  private Printable() {}

  /** Returns the text with a question mark for each control character. */
  public static String of(String text) {
    return CONTROL.matcher(text).replaceAll("?");
  }
}
