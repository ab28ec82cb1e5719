package io.duplog.config;

/** The section {@code log} of both programs. */
public record LogConfig(
    @Key(
            doc =
                "What a line of the log on standard error is: text, for people, or json, one object"
                    + " with time, level, program, thread and message, for machines.",
            defaultValue = "text")
        Format format) {

  /** What a line of the log is. */
  public enum Format {
    TEXT,
    JSON
  }
}
