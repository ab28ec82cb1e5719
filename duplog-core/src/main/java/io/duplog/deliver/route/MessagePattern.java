package io.duplog.deliver.route;

import com.google.re2j.Pattern;
import com.google.re2j.PatternSyntaxException;
import io.duplog.deliver.route.literal.RequiredText;
import java.nio.charset.StandardCharsets;

/**
 * A regular expression of RE2's syntax, which needs time proportional to the message whatever the
 * message is. (With java.util.regex whoever can send syslog can send what takes years to match.)
 *
 * @param pattern compiled; safe for any thread
 * @param required what is looked for first, since that costs far less
 */
public record MessagePattern(Pattern pattern, RequiredText required) {

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
      return new MessagePattern(Pattern.compile(text), RequiredText.of(text));
    } catch (PatternSyntaxException e) {
      throw new IllegalArgumentException(
          "must be a regular expression of RE2's syntax (" + e.getDescription() + ")", e);
    }
  }

  boolean isFoundIn(byte[] data, int start, int end) {
    return required.isIn(data, start, end)
        && (required.sufficient() || isFoundPlainlyIn(data, start, end));
  }

  /** The same, without a look for what is required. */
  boolean isFoundPlainlyIn(byte[] data, int start, int end) {
    // Not the bytes: where they are not UTF-8, RE2/J's reader of bytes skips good ones.
    String text = new String(data, start, end - start, StandardCharsets.UTF_8);
    return pattern.matcher(text).find();
  }
}
