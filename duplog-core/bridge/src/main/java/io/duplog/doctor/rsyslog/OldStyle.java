package io.duplog.doctor.rsyslog;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Translates rsyslog's old directives, such as {@code $ActionQueueType}, into statements of the new
 * style. Settings of an action or an input are kept for the next action or input.
 */
final class OldStyle {
  private final Map<String, String> nextAction = new LinkedHashMap<>();
  private @Nullable String inputRuleset;

  /**
   * Returns the statement of a directive; nothing if it is kept for the next action or input.
   *
   * @param name in lower case
   */
  List<Statement> directive(String name, String rest, String place) {
    String value = firstWord(rest);
    if (name.startsWith("actionqueue")) {
      nextAction.put("queue." + name.substring("actionqueue".length()), value);
    } else if (name.startsWith("actionresume")) {
      nextAction.put(name.replaceFirst("action", "action."), value);
    } else if (name.equals("actionname")) {
      nextAction.put("name", value);
    } else if (name.equals("actionomprogbinary")) {
      nextAction.put("binary", rest);
    } else if (name.equals("inputudpserverbindruleset")
        || name.equals("inputtcpserverbindruleset")) {
      inputRuleset = value;
    } else {
      return List.of(
          switch (name) {
            case "template" -> template(rest, place);
            case "modload" -> statement("module", Map.of("load", value), place);
            case "udpserverrun", "inputtcpserverrun" -> input(name, value, place);
            default ->
                // In the new style, names of the parsers' settings begin with this word.
                statement("global", Map.of(name, value, "parser." + name, value), place);
          });
    }
    return List.of();
  }

  /**
   * Returns the statement of an action such as {@code :omprog:;template}, a file or another host.
   */
  Statement action(String text, String place) {
    Map<String, String> parameters = new LinkedHashMap<>(nextAction);
    nextAction.clear();
    int template = text.lastIndexOf(';');
    if (template > 0) {
      parameters.put("template", firstWord(text.substring(template + 1)));
    }
    boolean isModule = text.startsWith(":") && text.indexOf(':', 1) > 0;
    parameters.put("type", isModule ? text.substring(1, text.indexOf(':', 1)) : "old-style");
    return statement("action", parameters, place);
  }

  private static Statement template(String rest, String place) {
    int comma = rest.indexOf(',');
    String name = comma < 0 ? rest : rest.substring(0, comma).strip();
    int from = rest.indexOf('"');
    int to = rest.lastIndexOf('"');
    String string = from >= 0 && to > from ? rest.substring(from + 1, to) : "";
    return statement("template", Map.of("name", name, "type", "string", "string", string), place);
  }

  private Statement input(String name, String port, String place) {
    Map<String, String> parameters = new LinkedHashMap<>();
    parameters.put("type", name.startsWith("udp") ? "imudp" : "imtcp");
    parameters.put("port", port);
    if (inputRuleset != null) {
      parameters.put("ruleset", inputRuleset);
    }
    return statement("input", parameters, place);
  }

  private static Statement statement(String type, Map<String, String> parameters, String place) {
    return new Statement(type, parameters, List.of(), place);
  }

  private static String firstWord(String rest) {
    String text = rest.strip();
    if (text.startsWith("\"") && text.indexOf('"', 1) > 0) {
      return text.substring(1, text.indexOf('"', 1));
    }
    return text.split("\\s", 2)[0];
  }
}
