package io.duplog.bridge;

import io.duplog.config.Checks;
import io.duplog.config.Key;
import io.duplog.deliver.Sink;
import io.duplog.deliver.SinkException;
import io.duplog.deliver.file.FileSink;
import io.duplog.deliver.file.FileSinkConfig;
import io.duplog.deliver.line.LineFormat;
import io.duplog.deliver.stdout.StdoutSink;
import java.util.Objects;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The section {@code sink}. A further kind of sink is a constant of {@link Type}, a section, and a
 * case in {@link #open}.
 */
record SinkConfig(
    @Key(
            doc =
                "Where the merged stream goes: into a file, or to standard output, for Splunk's scripted input.",
            defaultValue = "file")
        Type type,
    @Key(doc = "Where type is file.") @Nullable FileSinkConfig file,
    @Key(doc = "Where type is stdout.") Stdout stdout) {

  enum Type {
    FILE,
    STDOUT
  }

  /** The section {@code sink.stdout}. */
  record Stdout(@Key(doc = "As for the file.", defaultValue = "message") LineFormat line) {}

  SinkConfig {
    if (type == Type.FILE && file == null) {
      throw Checks.refuse("file.path", "is missing; it has no default");
    }
  }

  /**
   * Opens the sink and starts it.
   *
   * @param broken told, once and by the sink's thread, a line for the administrator when the sink
   *     is gone for good
   */
  Sink open(Consumer<String> broken) throws SinkException {
    return switch (type) {
      case FILE -> FileSink.open(Objects.requireNonNull(file));
      case STDOUT -> StdoutSink.open(stdout.line(), broken);
    };
  }
}
