package io.duplog.doctor.rsyslog;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The whole configuration of one rsyslog.
 *
 * @param file where it begins
 * @param statements in order, with those of included files in their place
 * @param troubles what could not be read or understood, a line each
 */
record RsyslogConfig(Path file, List<Statement> statements, List<String> troubles) {

  /** All of a type, within rulesets too. */
  List<Statement> all(String type) {
    return flat(statements).filter(statement -> statement.is(type)).toList();
  }

  private static Stream<Statement> flat(List<Statement> list) {
    return list.stream().flatMap(each -> Stream.concat(Stream.of(each), flat(each.body())));
  }

  /** The actions of a module. */
  List<Statement> actions(String module) {
    return all("action").stream().filter(action -> action.get("type", "").equals(module)).toList();
  }

  /** The last word on a global setting; null where it has rsyslog's default. */
  @Nullable Statement global(String name) {
    List<Statement> said =
        all("global").stream().filter(global -> global.get(name) != null).toList();
    return said.isEmpty() ? null : said.get(said.size() - 1);
  }

  String global(String name, String absent) {
    Statement said = global(name);
    return said == null ? absent : said.get(name, absent);
  }

  @Nullable Statement template(String name) {
    return all("template").stream()
        .filter(template -> template.get("name", "").equals(name))
        .findFirst()
        .orElse(null);
  }

  /** The ruleset that an action stands in; null for the default one. */
  @Nullable Statement rulesetOf(Statement action) {
    return all("ruleset").stream()
        .filter(ruleset -> flat(ruleset.body()).anyMatch(action::equals))
        .findFirst()
        .orElse(null);
  }

  /** The modules' parameters and the inputs' own, of one kind of input. */
  List<Statement> inputs() {
    List<Statement> inputs = new ArrayList<>(all("input"));
    all("module").stream()
        .filter(module -> module.get("load", "").toLowerCase(Locale.ROOT).startsWith("im"))
        .forEach(inputs::add);
    return inputs;
  }
}
