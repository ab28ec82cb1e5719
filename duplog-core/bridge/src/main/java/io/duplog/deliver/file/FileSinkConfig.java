package io.duplog.deliver.file;

import io.duplog.config.Checks;
import io.duplog.config.Key;
import io.duplog.deliver.line.LineFormat;
import java.nio.file.Path;
import java.time.Duration;

/**
 * The configuration section {@code sink.file}, which names the file and says how lines are written
 * and synced.
 */
public record FileSinkConfig(
    @Key(
            doc = "Absolute path of the file to append to. Its folder must exist.",
            example = "/var/log/duplog/merged.log",
            unit = "path")
        String path,
    @Key(
            doc =
                "message: the line is the message as the sender wrote it."
                    + " sender-and-message: the sender's address comes first.",
            defaultValue = "message")
        LineFormat line,
    @Key(
            doc =
                "When lines are forced to disk. always: before they count as delivered."
                    + " interval: every fsync-interval; a power failure may lose lines that count"
                    + " as delivered. never: when the kernel decides.",
            defaultValue = "always")
        Fsync fsync,
    @Key(doc = "Interval if fsync is interval.", defaultValue = "1s") Duration fsyncInterval,
    @Key(doc = "Permissions of the file if the bridge creates it.", defaultValue = "0640")
        FileMode mode) {

  /** The times at which written lines are forced to the disk. */
  public enum Fsync {
    ALWAYS,
    INTERVAL,
    NEVER
  }

  public FileSinkConfig {
    Checks.notBlank("path", path);
    Checks.positive("fsync-interval", fsyncInterval);
    Checks.absolutePath("path", path);
  }

  /** Returns the configured file as a path. */
  public Path file() {
    return Path.of(path);
  }
}
