package io.duplog.observe;

import com.google.common.base.CharMatcher;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * Removes logins and control characters from a foreign text, so that it is safe in a log, a
 * terminal or a web page.
 */
public final class Printable {
  /** Matches all control characters, including the non-ASCII ones, which some terminals obey. */
  private static final Pattern CONTROL = Pattern.compile("[\\p{Cntrl}\\x{80}-\\x{9f}]");

  /** Matches characters that could control a terminal or hide text on it. */
  private static final Pattern UNSAFE_CHARACTER =
      Pattern.compile("[\\p{Cc}\\p{Cf}\\p{Zl}\\p{Zp}&&[^\\t]]");

  private static final Pattern WORD = Pattern.compile("\\S+");

  /** Matches quotes and brackets that may precede a login in a word. */
  private static final Pattern OPENING_PUNCTUATION = Pattern.compile("^['\"(\\[{<]*");

  /**
   * Matches an IP address after the slashes of a URL, with an optional port and the character that
   * ends it. An address can't be a login; a host name may be a login whose password contains an
   * unescaped slash.
   */
  private static final Pattern SERVER_ADDRESS =
      Pattern.compile(
          "(?:\\[[0-9a-fA-F:.]{2,45}(?:%[\\w.-]{1,32})?\\]|\\d{1,3}(?:\\.\\d{1,3}){3})"
              + "(?::\\d{1,5})?[/?#]");

  /** Matches the character before a parameter that has a value. */
  private static final Pattern PARAMETER_WITH_VALUE = Pattern.compile("[?#](?=[\\w.%-]++=)");

  private static final CharMatcher PARAMETER_SIGNS = CharMatcher.anyOf("?#");

  /** Quotes, brackets and punctuation that may follow a parameter in a word. */
  private static final CharMatcher CLOSING_PUNCTUATION = CharMatcher.anyOf("'\")],;:.");

  private Printable() {}

  /**
   * Returns the text with {@code ***} in place of logins and parameters of URLs and addresses,
   * which may be passwords and tokens: {@code redis://***@host}, {@code https://host?***}. The
   * running time is linear in the text's length, because the text may come from an untrusted
   * source.
   */
  public static String redacted(String text) {
    return WORD.matcher(text)
        .replaceAll(word -> Matcher.quoteReplacement(redactedWord(word.group())));
  }

  /** Redacts a text that is a single URL or address, even if it contains blanks. */
  public static String redactedWord(String word) {
    return withoutParameters(withoutLogin(word));
  }

  private static String withoutLogin(String word) {
    int at = word.lastIndexOf('@');
    int start = 0;
    int slashes = word.indexOf("//");
    Matcher server = SERVER_ADDRESS.matcher(word);
    while (slashes >= 0 && slashes + 2 <= at && server.region(slashes + 2, at).lookingAt()) {
      start = server.end(); // the rest of the word may be another URL
      slashes = word.indexOf("//", start);
    }
    if (at >= 0 && slashes >= 0 && slashes < at) {
      return word.substring(0, slashes + 2) + "***" + word.substring(at);
    }
    if (at >= 0 && word.lastIndexOf(':', at) >= start) {
      Matcher opening = OPENING_PUNCTUATION.matcher(word).region(start, at);
      int login = opening.find() ? opening.end() : start;
      return word.substring(0, login) + "***" + word.substring(at);
    }
    return word;
  }

  /**
   * Redacts the parameters of an address: all parameters of a URL, otherwise only parameters with a
   * value.
   */
  private static String withoutParameters(String word) {
    int path = word.indexOf('/');
    int slashes = word.indexOf("//");
    Matcher parameterWithValue =
        PARAMETER_WITH_VALUE.matcher(word).region(0, path < 0 ? word.length() : path);
    int sign = -1;
    if (parameterWithValue.find()) {
      sign = parameterWithValue.start();
    } else if (slashes >= 0) {
      sign = PARAMETER_SIGNS.indexIn(word, slashes + 2);
    }
    if (sign < 0 || sign + 1 == word.length()) {
      return word;
    }
    int end = word.length();
    while (end > sign + 2 && CLOSING_PUNCTUATION.matches(word.charAt(end - 1))) {
      end--;
    }
    return word.substring(0, sign + 1) + "***" + word.substring(end);
  }

  /** Returns the text with each control character replaced by a question mark. */
  public static String of(String text) {
    return CONTROL.matcher(text).replaceAll("?");
  }

  /** Escapes, as JSON does, characters that could control a terminal or hide text on it. */
  public static String escaped(String text) {
    return UNSAFE_CHARACTER
        .matcher(text)
        .replaceAll(
            found ->
                found
                    .group()
                    .chars()
                    .mapToObj("\\\\u%04x"::formatted)
                    .collect(Collectors.joining()));
  }
}
