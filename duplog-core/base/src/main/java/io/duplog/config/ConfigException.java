package io.duplog.config;

import static java.util.stream.Collectors.joining;

import io.duplog.observe.Printable;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;

/**
 * Thrown if a configuration file is invalid, with a message that lists every problem for the
 * operator. The message has one line per problem, in the file's order; a line consists of the file,
 * line number, key, problem and allowed values. The message never contains a secret.
 */
public final class ConfigException extends Exception {

  /** A problem in a file, which becomes one line of the exception's message. */
  record Problem(int line, String text) {
    /**
     * @param line line in the file, counted from 1, or 0 if the line is not known
     * @param path full path of the key, or an empty text if the problem does not concern a single
     *     key
     * @param problem clause that begins with a verb
     */
    static Problem of(String file, int line, String path, String problem) {
      String location = line > 0 ? file + ":" + line : file;
      String text = location + ": " + (path.isEmpty() ? "" : path + " ") + problem;
      return new Problem(line, Printable.redacted(text.replaceAll("\\p{Cntrl}", "?")));
    }
  }

  ConfigException(List<Problem> problems) {
    super(
        problems.stream()
            .sorted(Comparator.comparingInt(Problem::line))
            .map(Problem::text)
            .collect(joining("\n")));
  }

  /**
   * Returns an exception with a single problem.
   *
   * @param line line in the file, counted from 1, or 0 if the line is not known
   * @param path full path of the key, or an empty text if the problem does not concern a single key
   * @param problem clause that begins with a verb
   */
  public static ConfigException at(String file, int line, String path, String problem) {
    return new ConfigException(List.of(Problem.of(file, line, path, problem)));
  }

  /** Returns the exception for a file that can't be read. */
  public static ConfigException unreadable(Path file, IOException cause) {
    return at(file.toString(), 0, "", "can't be read (" + ConfigFile.cause(cause) + ")");
  }
}
