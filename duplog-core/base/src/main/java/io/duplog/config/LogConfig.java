package io.duplog.config;

/**
 * The configuration section {@code log} of the bridge and the shim, which sets the format of their
 * logs.
 */
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
