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
            doc = "The file to append to. Its folder must exist.",
            example = "/var/log/duplog/merged.log",
            unit = "path")
        String path,
    @Key(
            doc =
                "What of a message becomes its line: the message as the sender wrote it, or"
                    + " that with the sender's address in front.",
            defaultValue = "message")
        LineFormat line,
    @Key(
            doc =
                "When written lines are forced to the disk. always: before any of them counts"
                    + " as delivered, once for all that were waiting. interval: regularly; a power"
                    + " failure may then lose what was acknowledged since. never: when the kernel"
                    + " likes to.",
            defaultValue = "always")
        Fsync fsync,
    @Key(doc = "How often, where fsync is interval.", defaultValue = "1s") Duration fsyncInterval,
    @Key(doc = "Rights of the file where the sink creates it.", defaultValue = "0640")
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
