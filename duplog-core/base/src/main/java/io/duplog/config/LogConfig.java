package io.duplog.config;

/** The section {@code log} in the configuration of a bridge or a shim. */
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
