package io.duplog.config;

/**
 * The configuration section {@code log} of the bridge and the shim, which sets the format of their
 * logs.
 */
public record LogConfig(
    @Key(
            doc =
                "What a line of the log on standard error is: text, for people, or json, one object"
                    + " with time, level, program, thread and message, for machines.",
            defaultValue = "text")
        Format format) {

  /** Format of a log line. */
  public enum Format {
    TEXT,
    JSON
  }
}
