package io.duplog.config;

import static java.util.stream.Collectors.joining;

import io.duplog.observe.Printable;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;

/**
 * Thrown if a configuration can't be used. The message has a line for each problem that could be
 * found, in the file's order: file, line, key, what is wrong and what is allowed. It never contains
 * a secret.
 */
public final class ConfigException extends Exception {

  /** A problem with a file, which becomes one line of the exception's message. */
  record Problem(int line, String text) {
    /**
     * @param line line in the file, from 1; 0 if it is not known
     * @param path full path of the key; empty if the problem is not about one key
     * @param problem what is wrong, beginning with a verb
     */
    static Problem of(String file, int line, String path, String problem) {
      String place = line > 0 ? file + ":" + line : file;
      String text = place + ": " + (path.isEmpty() ? "" : path + " ") + problem;
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
   * @param line line in the file, from 1; 0 if it is not known
   * @param path full path of the key; empty if the problem is not about one key
   * @param problem what is wrong, beginning with a verb
   */
  public static ConfigException at(String file, int line, String path, String problem) {
    return new ConfigException(List.of(Problem.of(file, line, path, problem)));
  }

  /** Returns the exception for a file that can't be read. */
  public static ConfigException unreadable(Path file, IOException cause) {
    return at(file.toString(), 0, "", "can't be read (" + ConfigFile.cause(cause) + ")");
  }
}
