package io.duplog.config;

/** The section {@code log} in the configuration of a bridge or a shim. */
public record LogConfig(
    @Key(
            doc =
                "Form of the log lines on standard error. text: for people. json: one"
                    + " object for each line, with time, level, program, thread and message.",
            defaultValue = "text")
        Format format) {

  /** Format of a log line. */
  public enum Format {
    TEXT,
    JSON
  }
}
