package io.duplog.observe;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Makes text safe to show in one line of a log, a terminal or a page. */
public final class Printable {
  /** Matches all control characters, including those beyond ASCII, which some terminals obey. */
  private static final Pattern CONTROL = Pattern.compile("[\\p{Cntrl}\\x{80}-\\x{9f}]");

  private static final Pattern WORD = Pattern.compile("\\S+");

  /** Matches what may begin a word, and is no part of a login. */
  private static final Pattern OPENING = Pattern.compile("^['\"(\\[{<]*");

  /** Matches the parameters of an address: of a URL all there are, else those with a value. */
  private static final Pattern PARAMETERS =
      Pattern.compile(
          "((?://.*?|^[^/]*?(?=[?#][\\w.%-]+=))[?#]).+?(['\")\\],;:.]*)$", Pattern.DOTALL);

  private Printable() {}

  /**
   * Returns the text with {@code ***} in place of logins and parameters of URLs and addresses,
   * which may be passwords and tokens: {@code redis://***@host}, {@code https://host?***}.
   */
  public static String redacted(String text) {
    return WORD.matcher(text)
        .replaceAll(word -> Matcher.quoteReplacement(redactedWord(word.group())));
  }

  /** Returns the same for a text that is a single URL or address, even if it has blanks. */
  public static String redactedWord(String word) {
    String shown = word;
    int at = word.lastIndexOf('@');
    int slashes = word.indexOf("//");
    if (at >= 0 && slashes >= 0 && slashes < at) {
      shown = word.substring(0, slashes + 2) + "***" + word.substring(at);
    } else if (at >= 0 && word.lastIndexOf(':', at) >= 0) {
      Matcher opening = OPENING.matcher(word);
      shown = (opening.find() ? opening.group() : "") + "***" + word.substring(at);
    }
    return PARAMETERS.matcher(shown).replaceFirst("$1***$2");
  }

  /** Returns the text with each control character replaced by a question mark. */
  public static String of(String text) {
    return CONTROL.matcher(text).replaceAll("?");
  }
}
