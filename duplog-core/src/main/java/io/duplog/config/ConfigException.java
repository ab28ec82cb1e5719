package io.duplog.config;

/**
 * A configuration that can't be used. The message is one line for an administrator: file, line,
 * key, what is wrong and what is allowed. It never contains a secret.
 */
public final class ConfigException extends Exception {
  private ConfigException(String line) {
    super(line);
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
    return new ConfigException(text.toString().replaceAll("\\p{Cntrl}", "?"));
  }
}
