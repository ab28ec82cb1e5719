package io.duplog.deliver.route;

import com.google.re2j.Pattern;
import com.google.re2j.PatternSyntaxException;

/**
 * A regular expression of RE2's syntax, which needs time proportional to the message whatever the
 * message is. (With java.util.regex whoever can send syslog can send what takes years to match.)
 *
 * @param pattern compiled; safe for any thread
 */
public record MessagePattern(Pattern pattern) {

  /**
   * Reads a regular expression.
   *
   * @throws IllegalArgumentException that says what is wrong with it
   */
  public static MessagePattern parse(String text) {
    if (text.isEmpty()) {
      throw new IllegalArgumentException("must not be empty");
    }
    try {
      return new MessagePattern(Pattern.compile(text));
    } catch (PatternSyntaxException e) {
      throw new IllegalArgumentException(
          "must be a regular expression of RE2's syntax (" + e.getDescription() + ")", e);
    }
  }

  boolean isFoundIn(String text) {
    return pattern.matcher(text).find();
  }
}
