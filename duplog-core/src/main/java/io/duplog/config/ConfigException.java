package io.duplog.config;

import static java.util.stream.Collectors.joining;

import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A configuration that can't be used. The message has a line for an administrator for each thing
 * that is wrong with it, as far as that could be found, in the file's order: file, line, key, what
 * is wrong and what is allowed. It never contains a secret.
 */
public final class ConfigException extends Exception {
  /** One thing that is wrong. */
  private record Wrong(int line, String text) {}

  private final List<Wrong> wrongs;

  private ConfigException(List<Wrong> wrongs) {
    super(wrongs.stream().map(Wrong::text).collect(joining("\n")));
    this.wrongs = wrongs;
  }

  /**
   * @param line counted from 1; 0 where it is not known
   * @param path the key's full path; empty where the file as a whole is meant
   * @param problem what is wrong, beginning with a verb
   */
  static ConfigException at(String file, int line, String path, String problem) {
    StringBuilder text = new StringBuilder(file);
    if (line > 0) {
      text.append(':').append(line);
    }
    text.append(": ");
    if (!path.isEmpty()) {
      text.append(path).append(' ');
    }
    text.append(problem);
    return new ConfigException(
        List.of(new Wrong(line, text.toString().replaceAll("\\p{Cntrl}", "?"))));
  }

  /** What is wrong with this and with another part of the file; null for none so far. */
  ConfigException and(@Nullable ConfigException other) {
    return other == null
        ? this
        : new ConfigException(
            Stream.concat(other.wrongs.stream(), wrongs.stream())
                .sorted(Comparator.comparingInt(Wrong::line))
                .toList());
  }
}
