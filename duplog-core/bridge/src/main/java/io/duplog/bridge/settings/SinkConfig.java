package io.duplog.bridge.settings;

import io.duplog.config.Checks;
import io.duplog.config.Key;
import io.duplog.deliver.Payload;
import io.duplog.deliver.Sink;
import io.duplog.deliver.SinkException;
import io.duplog.deliver.file.FileSink;
import io.duplog.deliver.file.FileSinkConfig;
import io.duplog.deliver.hec.HecSink;
import io.duplog.deliver.hec.HecSinkConfig;
import io.duplog.deliver.line.LineFormat;
import io.duplog.deliver.route.Routing;
import io.duplog.deliver.stdout.StdoutSink;
import io.duplog.deliver.tap.TappedMessage;
import io.duplog.tls.CertificateFile;
import io.duplog.tls.TlsConfig;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The configuration section {@code sink}, which says where the merged stream goes. A new kind of
 * sink is a section of its own here, and a constant of {@link Type} with the section's name. The
 * constants implement all differences between sinks.
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

  /** A kind of sink; each kind has a configuration section of its name. */
  public enum Type {
    HEC {
      @Override
      Sink open(SinkConfig config, Consumer<String> broken) throws SinkException {
        return HecSink.open(config.hecSection(), broken);
      }

      @Override
      Payload payload(SinkConfig config, @Nullable Routing routing) {
        return config.hecSection().payload(Objects.requireNonNull(routing));
      }

      @Override
      List<CertificateFile> certificateFiles(SinkConfig config) {
        TlsConfig tls = config.hecSection().tls();
        return tls == null ? List.of() : tls.certificateFiles();
      }
    },
    FILE {
      @Override
      Sink open(SinkConfig config, Consumer<String> broken) throws SinkException {
        return FileSink.open(config.fileSection(), broken);
      }

      @Override
      void check(SinkConfig config) throws SinkException {
        FileSink.check(config.fileSection());
      }

      @Override
      Payload payload(SinkConfig config, @Nullable Routing routing) {
        return config.fileSection().line().payload();
      }

      @Override
      Path file(SinkConfig config) {
        return config.fileSection().file();
      }
    },
    STDOUT {
      @Override
      Sink open(SinkConfig config, Consumer<String> broken) {
        return StdoutSink.open(config.stdout().line(), broken);
      }

      @Override
      Payload payload(SinkConfig config, @Nullable Routing routing) {
        return config.stdout().line().payload();
      }
    };

    abstract Sink open(SinkConfig config, Consumer<String> broken) throws SinkException;

    void check(SinkConfig config) throws SinkException {
      // standard output is always open, and HecProbe checks what HEC needs
    }

    abstract Payload payload(SinkConfig config, @Nullable Routing routing);

    List<CertificateFile> certificateFiles(SinkConfig config) {
      return List.of();
    }

    @Nullable Path file(SinkConfig config) {
      return null;
    }

    /** Returns the type's name in configuration files, which is also its section's name. */
    public String word() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  /** The configuration section {@code sink.stdout}. */
  record Stdout(@Key(doc = "As for the file.", defaultValue = "message") LineFormat line) {}

  public SinkConfig {
    if (type == Type.HEC && hec == null) {
      throw Checks.refuse("hec.urls", "is missing; it has no default");
    }
    if (type == Type.FILE && file == null) {
      throw Checks.refuse("file.path", "is missing; it has no default");
    }
  }

  private HecSinkConfig hecSection() {
    return Objects.requireNonNull(hec, "checked by the constructor");
  }

  private FileSinkConfig fileSection() {
    return Objects.requireNonNull(file, "checked by the constructor");
  }

  /**
   * Opens the sink.
   *
   * @param broken called with one line for an operator when the sink will never accept anything
   *     again
   */
  public Sink open(Consumer<String> broken) throws SinkException {
    return type.open(this, broken);
  }

  /** Checks whether the sink's file can be opened. Changes nothing and delivers nothing. */
  public void check() throws SinkException {
    type.check(this);
  }

  /** Returns the file that the sink writes to, or null if the sink writes to no file. */
  public @Nullable Path outputFile() {
    return type.file(this);
  }

  /** Returns the certificate files that the sink's section names. */
  public List<CertificateFile> certificateFiles() {
    return type.certificateFiles(this);
  }

  /**
   * Creates the object with which one tap reads messages and encodes them as this sink does.
   *
   * @param routing the open sink's routing, or null if the sink has none
   */
  public TappedMessage tapped(@Nullable Routing routing) {
    return new TappedMessage(routing, type.payload(this, routing));
  }
}
