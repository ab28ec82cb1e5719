package io.duplog.doctor.rsyslog;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The old style, {@code $Directive value}, told in the new one. What is said of an action or of an
 * input holds for the next one.
 */
final class Directives {
  /** A global setting of the old style, and its name in the new one. */
  private static final Map<String, String> GLOBAL =
      Map.of(
          "maxmessagesize", "maxmessagesize",
          "workdirectory", "workdirectory",
          "escapecontrolcharactersonreceive", "parser.escapecontrolcharactersonreceive",
          "escape8bitcharactersonreceive", "parser.escape8bitcharactersonreceive",
          "droptrailinglfonreception", "parser.droptrailinglfonreception",
          "controlcharacterescapeprefix", "parser.controlcharacterescapeprefix",
          "repeatedmsgreduction", "repeatedmsgreduction");

  private static final Map<String, String> OF_NEXT_ACTION =
      Map.ofEntries(
          Map.entry("actionname", "name"),
          Map.entry("actionomprogbinary", "binary"),
          Map.entry("actionresumeretrycount", "action.resumeretrycount"),
          Map.entry("actionresumeinterval", "action.resumeinterval"),
          Map.entry("actionqueuetype", "queue.type"),
          Map.entry("actionqueuefilename", "queue.filename"),
          Map.entry("actionqueuesize", "queue.size"),
          Map.entry("actionqueuemaxdiskspace", "queue.maxdiskspace"),
          Map.entry("actionqueuesaveonshutdown", "queue.saveonshutdown"),
          Map.entry("actionqueuedequeuebatchsize", "queue.dequeuebatchsize"),
          Map.entry("actionqueueworkerthreads", "queue.workerthreads"),
          Map.entry("actionqueuetimeoutshutdown", "queue.timeoutshutdown"));

  private final Map<String, String> nextAction = new LinkedHashMap<>();
  private @Nullable String inputRuleset;

  /** What the directive says; nothing where it waits for the next action, or does not matter. */
  List<Statement> read(String name, String rest, Place place) {
    String value = firstWord(rest);
    if (GLOBAL.containsKey(name)) {
      return List.of(statement("global", Map.of(GLOBAL.getOrDefault(name, name), value), place));
    }
    if (OF_NEXT_ACTION.containsKey(name)) {
      boolean isCommand = name.equals("actionomprogbinary");
      nextAction.put(OF_NEXT_ACTION.getOrDefault(name, name), isCommand ? rest : value);
      return List.of();
    }
    return switch (name) {
      case "template" -> List.of(template(rest, place));
      case "modload" -> List.of(statement("module", Map.of("load", value), place));
      case "inputudpserverbindruleset", "inputtcpserverbindruleset" -> {
        inputRuleset = value;
        yield List.of();
      }
      case "udpserverrun", "inputtcpserverrun" -> List.of(input(name, value, place));
      default -> List.of();
    };
  }

  /** An action in the old style: {@code :omprog:;template}, a file, a program, another host. */
  Statement action(String text, Place place) {
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

  private static Statement template(String rest, Place place) {
    int comma = rest.indexOf(',');
    String name = comma < 0 ? rest : rest.substring(0, comma).strip();
    int from = rest.indexOf('"');
    int to = rest.lastIndexOf('"');
    String string = from >= 0 && to > from ? rest.substring(from + 1, to) : "";
    return statement("template", Map.of("name", name, "type", "string", "string", string), place);
  }

  private Statement input(String name, String port, Place place) {
    Map<String, String> parameters = new LinkedHashMap<>();
    parameters.put("type", name.startsWith("udp") ? "imudp" : "imtcp");
    parameters.put("port", port);
    if (inputRuleset != null) {
      parameters.put("ruleset", inputRuleset);
    }
    return statement("input", parameters, place);
  }

  private static Statement statement(String type, Map<String, String> parameters, Place place) {
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
