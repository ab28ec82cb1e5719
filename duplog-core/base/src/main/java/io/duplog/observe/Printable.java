package io.duplog.observe;

import com.google.common.base.CharMatcher;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** Makes text safe to show in one line of a log, a terminal or a page. */
public final class Printable {
  /** Matches all control characters, including those beyond ASCII, which some terminals obey. */
  private static final Pattern CONTROL = Pattern.compile("[\\p{Cntrl}\\x{80}-\\x{9f}]");

  /** Matches characters that could control a terminal or hide text on it. */
  private static final Pattern STEERING = Pattern.compile("[\\p{Cc}\\p{Cf}\\p{Zl}\\p{Zp}&&[^\\t]]");

  private static final Pattern WORD = Pattern.compile("\\S+");

  /** Matches what may begin a word, and is no part of a login. */
  private static final Pattern OPENING = Pattern.compile("^['\"(\\[{<]*");

  /**
   * Matches a URL's server behind its slashes, if it can be no login: an address, with what ends
   * it. A name may be a login whose password has a slash that nobody escaped.
   */
  private static final Pattern SERVER =
      Pattern.compile(
          "(?:\\[[0-9a-fA-F:.]{2,45}(?:%[\\w.-]{1,32})?\\]|\\d{1,3}(?:\\.\\d{1,3}){3})"
              + "(?::\\d{1,5})?[/?#]");

  /** Matches what begins a parameter with a value. */
  private static final Pattern PARAMETER = Pattern.compile("[?#](?=[\\w.%-]++=)");

  private static final CharMatcher PARAMETERS = CharMatcher.anyOf("?#");

  /** What may end a word, and is no part of a parameter. */
  private static final CharMatcher CLOSING = CharMatcher.anyOf("'\")],;:.");

  private Printable() {}

  /**
   * Returns the text with {@code ***} in place of logins and parameters of URLs and addresses,
   * which may be passwords and tokens: {@code redis://***@host}, {@code https://host?***}. The cost
   * grows with the text's length alone, because others may have written it.
   */
  public static String redacted(String text) {
    return WORD.matcher(text)
        .replaceAll(word -> Matcher.quoteReplacement(redactedWord(word.group())));
  }

  /** Returns the same for a text that is a single URL or address, even if it has blanks. */
  public static String redactedWord(String word) {
    return withoutParameters(withoutLogin(word));
  }

  private static String withoutLogin(String word) {
    int at = word.lastIndexOf('@');
    int start = 0;
    int slashes = word.indexOf("//");
    Matcher server = SERVER.matcher(word);
    while (slashes >= 0 && slashes + 2 <= at && server.region(slashes + 2, at).lookingAt()) {
      start = server.end(); // what follows may be another URL
      slashes = word.indexOf("//", start);
    }
    if (at >= 0 && slashes >= 0 && slashes < at) {
      return word.substring(0, slashes + 2) + "***" + word.substring(at);
    }
    if (at >= 0 && word.lastIndexOf(':', at) >= start) {
      Matcher opening = OPENING.matcher(word).region(start, at);
      int login = opening.find() ? opening.end() : start;
      return word.substring(0, login) + "***" + word.substring(at);
    }
    return word;
  }

  /** Leaves out the parameters of an address: of a URL all there are, else those with a value. */
  private static String withoutParameters(String word) {
    int path = word.indexOf('/');
    int slashes = word.indexOf("//");
    Matcher first = PARAMETER.matcher(word).region(0, path < 0 ? word.length() : path);
    int sign = -1;
    if (first.find()) {
      sign = first.start();
    } else if (slashes >= 0) {
      sign = PARAMETERS.indexIn(word, slashes + 2);
    }
    if (sign < 0 || sign + 1 == word.length()) {
      return word;
    }
    int end = word.length();
    while (end > sign + 2 && CLOSING.matches(word.charAt(end - 1))) {
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
    return STEERING
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
