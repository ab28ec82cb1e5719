package io.duplog.doctor.rsyslog;

import io.duplog.config.ConfigFile;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The statements of a whole rsyslog configuration, with those of included files, for the doctor's
 * checks.
 *
 * @param statements in order, with those of included files in their place
 * @param troubles what could not be read or understood, a line each
 */
record RsyslogConfig(List<Statement> statements, List<String> troubles) {
  /** Depth of nested includes at which reading stops, because files may include each other. */
  private static final int DEEPEST = 16;

  /**
   * Reads a file and all that it includes, in rsyslog's order.
   *
   * @throws IOException if the file itself can't be read; an included file that can't be read is a
   *     trouble instead
   */
  static RsyslogConfig read(Path file) throws IOException {
    List<String> troubles = new ArrayList<>();
    return new RsyslogConfig(statements(file, 0, troubles), troubles);
  }

  private static List<Statement> statements(Path file, int depth, List<String> troubles)
      throws IOException {
    // Invalid UTF-8 is replaced, because hardly anything that matters is not ASCII.
    String text = new String(Files.readAllBytes(file), StandardCharsets.UTF_8);
    return new RainerScript(
            text,
            String.valueOf(file.getFileName()),
            (pattern, place) -> included(pattern, place, file, depth + 1, troubles),
            troubles)
        .read();
  }

  private static List<Statement> included(
      String pattern, String place, Path from, int depth, List<String> troubles) {
    List<Statement> statements = new ArrayList<>();
    if (depth > DEEPEST) {
      troubles.add(place + ": includes go deeper than " + DEEPEST + " files");
      return statements;
    }
    try {
      for (Path file : files(from.toAbsolutePath().resolveSibling(pattern))) {
        statements.addAll(statements(file, depth, troubles));
      }
    } catch (IOException e) {
      troubles.add(place + ": " + pattern + " can't be read (" + ConfigFile.cause(e) + ")");
    }
    return statements;
  }

  /**
   * Returns the files that a pattern names, sorted by name as rsyslog does. A folder means all its
   * files.
   */
  private static List<Path> files(Path path) throws IOException {
    Path parent = path.getParent();
    String name = String.valueOf(path.getFileName());
    boolean all = Files.isDirectory(path);
    if (!all && (parent == null || !name.matches(".*[*?\\[].*"))) {
      return List.of(path);
    }
    List<Path> files = new ArrayList<>();
    Path folder = all || parent == null ? path : parent;
    if (Files.isDirectory(folder)) {
      try (DirectoryStream<Path> found = Files.newDirectoryStream(folder, all ? "*" : name)) {
        for (Path file : found) {
          if (Files.isRegularFile(file) && !String.valueOf(file.getFileName()).startsWith(".")) {
            files.add(file);
          }
        }
      }
    }
    files.sort(null);
    return files;
  }

  /** Returns all statements of a type, including those inside other statements. */
  List<Statement> all(String type) {
    return flat(statements).filter(statement -> statement.is(type)).toList();
  }

  private static Stream<Statement> flat(List<Statement> list) {
    return list.stream().flatMap(each -> Stream.concat(Stream.of(each), flat(each.body())));
  }

  /** Returns the actions that use a module, such as {@code omprog}. */
  List<Statement> actions(String module) {
    return all("action").stream().filter(action -> action.get("type", "").equals(module)).toList();
  }

  /** Returns the last statement that sets a global parameter, or null if the default applies. */
  @Nullable Statement global(String name) {
    return all("global").stream()
        .filter(global -> global.get(name) != null)
        .reduce((earlier, later) -> later)
        .orElse(null);
  }

  @Nullable Statement template(String name) {
    return all("template").stream()
        .filter(template -> template.get("name", "").equals(name))
        .findFirst()
        .orElse(null);
  }

  /** Returns the ruleset that contains an action, or null for the default ruleset. */
  @Nullable Statement rulesetOf(Statement action) {
    return all("ruleset").stream()
        .filter(ruleset -> flat(ruleset.body()).anyMatch(action::equals))
        .findFirst()
        .orElse(null);
  }

  /** Returns the statements that define inputs, and those that load input modules. */
  List<Statement> inputs() {
    return Stream.concat(
            all("input").stream(),
            all("module").stream()
                .filter(module -> module.get("load", "").toLowerCase(Locale.ROOT).startsWith("im")))
        .toList();
  }
}
