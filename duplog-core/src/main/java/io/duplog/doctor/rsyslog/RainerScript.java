package io.duplog.doctor.rsyslog;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Reads the text of one file: the objects with their parameters, old-style directives and actions.
 * Filters and expressions are skipped, since none of the checks depends on them. It is as tolerant
 * as can be, for a doctor that gives up at an oddity is of no use; {@code rsyslogd -N1} tells
 * errors.
 */
final class RainerScript {
  /** Takes what the file asks for outside of itself. */
  interface Surroundings {

    /** The statements of the files that are included. */
    List<Statement> include(String pattern, Place place);

    /** Something that could not be understood. */
    void trouble(String line);
  }

  private static final Set<String> OBJECTS =
      Set.of(
          "action",
          "constant",
          "dyn_stats",
          "global",
          "include",
          "input",
          "lookup_table",
          "main_queue",
          "module",
          "parser",
          "property",
          "ratelimit",
          "ruleset",
          "template",
          "timezone");

  private static final Pattern SELECTOR = Pattern.compile("[\\w*,]+\\.[\\w*,;.!=]+[ \\t]+");
  private static final Pattern PROPERTY_FILTER =
      Pattern.compile(":[^\\n\"]*\"(?:[^\"\\\\]|\\\\.)*\"[ \\t]*");
  private static final Pattern WORD = Pattern.compile("[A-Za-z_]\\w*");
  private static final Pattern PARAMETER = Pattern.compile("[\\w.$@!-]+");
  private static final Pattern BARE_VALUE = Pattern.compile("[^\\s)]+");
  private static final String OLD_ACTIONS = "/-^@|:*?~>";

  private final String text;
  private final Path file;
  private final Surroundings surroundings;
  private final Directives directives = new Directives();
  private int at;

  RainerScript(String text, Path file, Surroundings surroundings) {
    this.text = text;
    this.file = file;
    this.surroundings = surroundings;
  }

  List<Statement> read() {
    List<Statement> statements = new ArrayList<>();
    while (at < text.length()) {
      block(statements); // more than once where a brace too many ends one
    }
    return statements;
  }

  /** Up to the end of the text, or behind the brace that ends the block. */
  private void block(List<Statement> into) {
    for (skipBlanks(); at < text.length(); skipBlanks()) {
      char next = text.charAt(at);
      if (next == '}') {
        at++;
        return;
      }
      if (next == '{') {
        at++;
        block(into);
      } else if (next == '"' || next == '\'' || next == '`') {
        quoted();
      } else if (next == '&') {
        at++;
        actionOf(into);
      } else if (skips(PROPERTY_FILTER) || (startsLine() && skips(SELECTOR))) {
        actionOf(into);
      } else if (next == '$' && startsLine()) {
        directive(into);
      } else if ("!+-".indexOf(next) >= 0 && startsLine()) {
        restOfLine(); // a filter by program or host, in BSD's way
      } else if (!word(into)) {
        at++;
      }
    }
  }

  /** Whether there was a word; with all that belongs to it, where it begins a statement. */
  private boolean word(List<Statement> into) {
    int start = at;
    String word = match(WORD);
    if (word.isEmpty()) {
      return false;
    }
    String name = word.toLowerCase(Locale.ROOT);
    switch (name) {
      case "if" -> {
        skipBehindWord("then");
        oldActionOf(into);
      }
      case "else" -> oldActionOf(into);
      case "foreach" -> skipBehindWord("do");
      case "set", "unset", "reset", "call_indirect" -> skipBehind(';');
      case "call" -> {
        skipBlanks();
        add(into, "call", Map.of("name", match(PARAMETER)), List.of(), start);
      }
      default -> {
        if (OBJECTS.contains(name)) {
          skipBlanks();
          if (at < text.length() && text.charAt(at) == '(') {
            object(name, start, into);
          }
        }
      }
    }
    return true;
  }

  private void object(String type, int start, List<Statement> into) {
    Map<String, String> parameters = parameters(type, start);
    List<Statement> body = new ArrayList<>();
    skipBlanks();
    if ((type.equals("ruleset") || type.equals("template"))
        && at < text.length()
        && text.charAt(at) == '{') {
      at++;
      block(body);
    }
    if (type.equals("include")) {
      String included = parameters.get("file");
      if (included != null) {
        into.addAll(surroundings.include(included, place(start)));
      }
      return;
    }
    add(into, type, parameters, body, start);
  }

  private Map<String, String> parameters(String type, int start) {
    Map<String, String> parameters = new LinkedHashMap<>();
    at++; // the parenthesis
    for (skipBlanks(); at < text.length(); skipBlanks()) {
      if (text.charAt(at) == ')') {
        at++;
        return parameters;
      }
      String name = match(PARAMETER).toLowerCase(Locale.ROOT);
      skipBlanks();
      if (name.isEmpty()) {
        at++;
      } else if (at < text.length() && text.charAt(at) == '=') {
        at++;
        skipBlanks();
        parameters.put(name, value());
      }
    }
    surroundings.trouble(place(start) + ": " + type + "( is never closed");
    return parameters;
  }

  private String value() {
    char first = at < text.length() ? text.charAt(at) : ')';
    if (first == '"' || first == '\'' || first == '`') {
      return quoted();
    }
    if (first != '[') {
      return match(BARE_VALUE);
    }
    List<String> elements = new ArrayList<>();
    at++;
    for (skipBlanks(); at < text.length(); skipBlanks()) {
      char next = text.charAt(at);
      if (next == ']') {
        at++;
        break;
      }
      if (next == '"' || next == '\'') {
        elements.add(quoted());
      } else {
        at++;
      }
    }
    return String.join(",", elements);
  }

  /** The text between quotes; a backslash makes the next character a plain one, or a control. */
  private String quoted() {
    char quote = text.charAt(at++);
    StringBuilder value = new StringBuilder();
    while (at < text.length()) {
      char next = text.charAt(at++);
      if (next == quote) {
        return value.toString();
      }
      if (next != '\\' || quote == '`' || at == text.length()) {
        value.append(next);
        continue;
      }
      char escaped = text.charAt(at++);
      switch (escaped) {
        case 'n' -> value.append('\n');
        case 't' -> value.append('\t');
        case 'r' -> value.append('\r');
        default -> value.append(escaped);
      }
    }
    surroundings.trouble(place(at) + ": a quoted text never ends");
    return value.toString();
  }

  private void directive(List<Statement> into) {
    int start = at++;
    String name = match(WORD).toLowerCase(Locale.ROOT);
    String rest = restOfLine().strip();
    if (name.equals("includeconfig")) {
      into.addAll(surroundings.include(rest, place(start)));
    } else {
      into.addAll(directives.read(name, rest, place(start)));
    }
  }

  /** Behind a selector: an object, a block, a statement, or an action in the old style. */
  private void actionOf(List<Statement> into) {
    skipSpaces();
    Matcher word = WORD.matcher(text).region(at, text.length());
    boolean isNew = word.lookingAt() || at == text.length() || text.charAt(at) == '{';
    if (!isNew) {
      int start = at;
      into.add(directives.action(restOfLine().strip(), place(start)));
    }
  }

  private void oldActionOf(List<Statement> into) {
    skipBlanks();
    if (at < text.length() && OLD_ACTIONS.indexOf(text.charAt(at)) >= 0) {
      actionOf(into);
    }
  }

  /** A backslash at its end joins the next line. */
  private String restOfLine() {
    StringBuilder line = new StringBuilder();
    while (at < text.length() && text.charAt(at) != '\n') {
      if (text.startsWith("\\\n", at)) {
        at += 2;
      } else {
        line.append(text.charAt(at++));
      }
    }
    return line.toString();
  }

  private void skipBehindWord(String wanted) {
    while (at < text.length()) {
      skipBlanks();
      if (at < text.length() && "\"'`".indexOf(text.charAt(at)) >= 0) {
        quoted();
      } else {
        String word = match(WORD);
        if (word.equalsIgnoreCase(wanted)) {
          return;
        }
        at += word.isEmpty() ? 1 : 0;
      }
    }
  }

  private void skipBehind(char end) {
    while (at < text.length() && text.charAt(at) != end) {
      if ("\"'`".indexOf(text.charAt(at)) >= 0) {
        quoted();
      } else {
        at++;
      }
    }
    at++;
  }

  private void skipBlanks() {
    while (at < text.length()) {
      char next = text.charAt(at);
      if (next == '#') {
        skipTo("\n", 0);
      } else if (text.startsWith("/*", at)) {
        skipTo("*/", 2);
      } else if (Character.isWhitespace(next)) {
        at++;
      } else {
        return;
      }
    }
  }

  private void skipSpaces() {
    while (at < text.length() && (text.charAt(at) == ' ' || text.charAt(at) == '\t')) {
      at++;
    }
  }

  private void skipTo(String end, int behind) {
    int found = text.indexOf(end, at);
    at = found < 0 ? text.length() : found + behind;
  }

  private boolean skips(Pattern pattern) {
    return !match(pattern).isEmpty();
  }

  private String match(Pattern pattern) {
    Matcher matcher = pattern.matcher(text).region(at, text.length());
    if (!matcher.lookingAt()) {
      return "";
    }
    at = matcher.end();
    return matcher.group();
  }

  private boolean startsLine() {
    for (int i = at - 1; i >= 0 && text.charAt(i) != '\n'; i--) {
      if (text.charAt(i) != ' ' && text.charAt(i) != '\t') {
        return false;
      }
    }
    return true;
  }

  private Place place(int offset) {
    int end = Math.min(offset, text.length());
    return new Place(file, 1 + (int) text.substring(0, end).chars().filter(c -> c == '\n').count());
  }

  private void add(
      List<Statement> into,
      String type,
      Map<String, String> parameters,
      List<Statement> body,
      int start) {
    into.add(new Statement(type, parameters, body, place(start)));
  }
}
