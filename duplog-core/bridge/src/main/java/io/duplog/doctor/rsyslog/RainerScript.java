package io.duplog.doctor.rsyslog;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.BiFunction;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * Reads one rsyslog configuration file, which is written in the language RainerScript, for the
 * doctor. Filters and expressions are skipped, because no check depends on them. It tolerates
 * errors, because a doctor that gives up at an oddity is of no use; {@code rsyslogd -N1} reports
 * them.
 */
final class RainerScript {
  private static final String BLANKS = "(?:\\s++|\\\\\\n|#.*+|/\\*[\\s\\S]*?(?:\\*/|\\z))*+";
  private static final String QUOTES =
      "(?:\"(?:[^\"\\\\]++|\\\\[\\s\\S])*+(?:\"|\\z)|'(?:[^'\\\\]++|\\\\[\\s\\S])*+(?:'|\\z)"
          + "|`[^`]*+(?:`|\\z))";
  private static final String LINE_START = "(?<=^[ \\t]{0,200})";
  private static final String REST_OF_LINE = "((?:\\\\\\n|[^\\n])*+)";

  private static final Pattern BLANK = pattern(BLANKS);
  private static final Pattern QUOTED = pattern(QUOTES);
  private static final Pattern DIRECTIVE = pattern(LINE_START + "\\$(\\w*)" + REST_OF_LINE);

  /**
   * Matches a selector, a property filter, or {@code &} for the filter before; an action follows.
   */
  private static final Pattern FILTER =
      pattern(
          LINE_START + "[\\w*,]+\\.[\\w*,;.!=]+[ \\t]+|:[^\\n\"]*" + QUOTES + "[ \\t]*|&|else\\b");

  private static final Pattern CONDITION =
      pattern(
          "(?:if|foreach)\\b(?:"
              + QUOTES
              + "|#.*+|(?!(?:then|do)\\b)\\w++|[^\\w\"'`#])*+(?:then|do)\\b");
  private static final Pattern OLD_ACTION = pattern("[/^@|:*?~>-]" + REST_OF_LINE);
  private static final Pattern OBJECT =
      pattern(
          "(action|constant|global|include|input|module|property|ruleset|template)"
              + BLANKS
              + "\\(");
  private static final Pattern CALL = pattern("call\\b" + BLANKS + "([\\w.$@!-]*)");

  /** Matches text to skip: an assignment, a filter by program or host, a string, or a word. */
  private static final Pattern OTHER =
      pattern(
          "(?:set|unset|reset|call_indirect)\\b(?:"
              + QUOTES
              + "|[^;\"'`])*+;|"
              + LINE_START
              + "[!+-].*|"
              + QUOTES
              + "|\\w++|[\\s\\S]");

  private static final Pattern PARAMETER =
      pattern(
          "([\\w.$@!-]+)"
              + BLANKS
              + "="
              + BLANKS
              + "(?:("
              + QUOTES
              + ")|\\[((?:"
              + QUOTES
              + "|[^]\"'`])*+)]|([^\\s)\"'`\\[][^\\s)]*))");

  private final String text;
  private final String file;
  private final BiFunction<String, String, List<Statement>> includes;
  private final List<String> troubles;
  private final OldStyle oldStyle = new OldStyle();
  private final Matcher matcher;
  private int at;

  /**
   * Makes a parser.
   *
   * @param file name of the file, for the places of statements
   * @param includes returns the statements of the files that a pattern names; its second argument
   *     is the place of the include
   * @param troubles gets a line for each thing that can't be understood
   */
  RainerScript(
      String text,
      String file,
      BiFunction<String, String, List<Statement>> includes,
      List<String> troubles) {
    this.text = text;
    this.file = file;
    this.includes = includes;
    this.troubles = troubles;
    this.matcher = BLANK.matcher(text).useTransparentBounds(true).useAnchoringBounds(false);
  }

  List<Statement> read() {
    List<Statement> statements = new ArrayList<>();
    while (at < text.length()) {
      statements.addAll(block()); // several blocks, if there is a closing brace too many
    }
    return statements;
  }

  /** Parses statements up to the brace that closes the block, or to the end of the text. */
  private List<Statement> block() {
    List<Statement> into = new ArrayList<>();
    for (skips(BLANK); at < text.length(); skips(BLANK)) {
      String place = place();
      if (text.charAt(at) == '}') {
        at++;
        return into;
      }
      if (text.charAt(at) == '{') {
        at++;
        into.addAll(block());
      } else if (skips(DIRECTIVE)) {
        directive(matcher.group(1).toLowerCase(Locale.ROOT), rest(2), place, into);
      } else if (skips(FILTER) || skips(CONDITION)) {
        skips(BLANK);
        place = place();
        if (skips(OLD_ACTION)) {
          into.add(oldStyle.action(rest(0), place));
        }
      } else if (skips(OBJECT)) {
        object(matcher.group(1).toLowerCase(Locale.ROOT), place, into);
      } else if (skips(CALL)) {
        into.add(new Statement("call", Map.of("name", matcher.group(1)), List.of(), place));
      } else {
        skips(OTHER);
      }
    }
    return into;
  }

  private void directive(String name, String rest, String place, List<Statement> into) {
    if (name.equals("includeconfig")) {
      into.addAll(includes.apply(rest, place));
    } else {
      into.addAll(oldStyle.directive(name, rest, place));
    }
  }

  private void object(String type, String place, List<Statement> into) {
    Map<String, String> parameters = parameters(type, place);
    List<Statement> body = List.of();
    skips(BLANK);
    if ((type.equals("ruleset") || type.equals("template")) && text.startsWith("{", at)) {
      at++;
      body = block();
    }
    String included = type.equals("include") ? parameters.get("file") : null;
    if (included != null) {
      into.addAll(includes.apply(included, place));
    } else {
      into.add(new Statement(type, parameters, body, place));
    }
  }

  private Map<String, String> parameters(String type, String place) {
    Map<String, String> parameters = new LinkedHashMap<>();
    for (skips(BLANK); at < text.length(); skips(BLANK)) {
      if (text.charAt(at) == ')') {
        at++;
        return parameters;
      }
      if (skips(PARAMETER)) {
        parameters.put(matcher.group(1).toLowerCase(Locale.ROOT), value(matcher.toMatchResult()));
      } else {
        skips(OTHER);
      }
    }
    troubles.add(place + ": " + type + "( is never closed");
    return parameters;
  }

  private static String value(MatchResult parameter) {
    if (parameter.group(2) != null) {
      return unquoted(parameter.group(2));
    }
    return parameter.group(3) == null
        ? parameter.group(4)
        : QUOTED
            .matcher(parameter.group(3))
            .results()
            .map(element -> unquoted(element.group()))
            .collect(Collectors.joining(","));
  }

  /**
   * Returns the text between quotes. A backslash before a character makes it literal, or a control
   * character.
   */
  private static String unquoted(String quoted) {
    String quote = quoted.substring(0, 1);
    String inside =
        quoted.substring(1, quoted.length() - (quoted.substring(1).endsWith(quote) ? 1 : 0));
    StringBuilder value = new StringBuilder();
    for (int i = 0; i < inside.length(); i++) {
      char next = inside.charAt(i);
      if (next == '\\' && !quote.equals("`") && i + 1 < inside.length()) {
        next = inside.charAt(++i);
        int control = "ntr".indexOf(next);
        next = control < 0 ? next : "\n\t\r".charAt(control);
      }
      value.append(next);
    }
    return value.toString();
  }

  /** Whether the text continues with this pattern; if so, moves the position past the match. */
  private boolean skips(Pattern pattern) {
    if (!matcher.usePattern(pattern).region(at, text.length()).lookingAt()) {
      return false;
    }
    at = matcher.end();
    return true;
  }

  /** Returns the text of a matched group; a backslash at the end of a line joins the next line. */
  private String rest(int group) {
    return matcher.group(group).replace("\\\n", "").strip();
  }

  private String place() {
    return file + ":" + (1 + text.substring(0, at).chars().filter(c -> c == '\n').count());
  }

  private static Pattern pattern(String regex) {
    return Pattern.compile(regex, Pattern.MULTILINE | Pattern.CASE_INSENSITIVE);
  }
}
