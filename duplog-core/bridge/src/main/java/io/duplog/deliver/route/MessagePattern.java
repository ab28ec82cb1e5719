package io.duplog.deliver.route;

import com.google.re2j.Pattern;
import com.google.re2j.PatternSyntaxException;
import io.duplog.deliver.route.literal.RequiredText;
import java.nio.charset.StandardCharsets;

/**
 * A regular expression of a routing rule, in RE2's syntax, which is fast for every message.
 *
 * @param pattern compiled; may be used from any thread
 * @param required texts to look for first, because that costs far less
 */
public record MessagePattern(Pattern pattern, RequiredText required) {

  /**
   * Reads a regular expression.
   *
   * @throws IllegalArgumentException with a message that says what is wrong with it
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

  /** Whether the expression matches; skips the quick search for {@link #required} texts. */
  boolean isFoundPlainlyIn(byte[] data, int start, int end) {
    // Matches a String, because on bytes that are not UTF-8, RE2/J also skips valid ones.
    String text = new String(data, start, end - start, StandardCharsets.UTF_8);
    return pattern.matcher(text).find();
  }
}
