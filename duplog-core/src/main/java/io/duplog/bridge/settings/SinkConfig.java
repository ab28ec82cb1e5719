package io.duplog.bridge.settings;

import io.duplog.config.Checks;
import io.duplog.config.Key;
import io.duplog.deliver.Payload;
import io.duplog.deliver.file.FileSinkConfig;
import io.duplog.deliver.hec.HecSinkConfig;
import io.duplog.deliver.line.LineFormat;
import io.duplog.deliver.route.Routing;
import io.duplog.deliver.tap.TappedMessage;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The section {@code sink}. A further kind of sink is a constant of {@link Type}, a section of the
 * same name with its required keys, and a case where {@link Settings} opens it, checks it and lists
 * its certificates, and in {@code Checkup} of the commands.
 */
public record SinkConfig(
    @Key(
            doc =
                "Where the merged stream goes: to Splunk's HTTP Event Collector, into a file, or to"
                    + " standard output, for Splunk's scripted input.",
            defaultValue = "file")
        Type type,
    @Key(doc = "Where type is hec.") @Nullable HecSinkConfig hec,
    @Key(doc = "Where type is file.") @Nullable FileSinkConfig file,
    @Key(doc = "Where type is stdout.") Stdout stdout) {

  public enum Type {
    HEC,
    FILE,
    STDOUT
  }

  /** The section {@code sink.stdout}. */
  record Stdout(@Key(doc = "As for the file.", defaultValue = "message") LineFormat line) {}

  public SinkConfig {
    if (type == Type.HEC && hec == null) {
      throw Checks.refuse("hec.urls", "is missing; it has no default");
    }
    if (type == Type.FILE && file == null) {
      throw Checks.refuse("file.path", "is missing; it has no default");
    }
  }

  /**
   * What looks at messages for a tap, as this sink writes them; one for each tap.
   *
   * @param routing the open sink's own
   */
  public TappedMessage tapped(@Nullable Routing routing) {
    Payload payload =
        switch (type) {
          case HEC -> Objects.requireNonNull(hec).payload(Objects.requireNonNull(routing));
          case FILE -> Objects.requireNonNull(file).line().payload();
          case STDOUT -> stdout.line().payload();
        };
    return new TappedMessage(routing, payload);
  }
}
