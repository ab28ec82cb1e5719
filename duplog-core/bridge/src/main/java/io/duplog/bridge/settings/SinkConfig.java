package io.duplog.bridge.settings;

import io.duplog.config.ByteSize;
import io.duplog.config.Checks;
import io.duplog.config.Key;
import io.duplog.deliver.BestEffortSink;
import io.duplog.deliver.Payload;
import io.duplog.deliver.Sink;
import io.duplog.deliver.SinkContext;
import io.duplog.deliver.SinkException;
import io.duplog.deliver.Sinks;
import io.duplog.deliver.file.FileSink;
import io.duplog.deliver.file.FileSinkConfig;
import io.duplog.deliver.hec.HecSink;
import io.duplog.deliver.hec.HecSinkConfig;
import io.duplog.deliver.line.LineFormat;
import io.duplog.deliver.route.Routing;
import io.duplog.deliver.stdout.StdoutSink;
import io.duplog.deliver.tap.TappedMessage;
import io.duplog.observe.Conditions;
import io.duplog.observe.Level;
import io.duplog.tls.CertificateFile;
import io.duplog.tls.TlsConfig;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The configuration section {@code sink}, or one of those in {@code sinks}, which says where the
 * merged stream goes. A new kind of sink is a section of its own here, and a constant of {@link
 * Type} with the section's name. The constants implement all differences between sinks.
 */
public record SinkConfig(
    @Key(
            doc =
                "hec: Splunk's HTTP Event Collector. file: a file. stdout: standard"
                    + " output, for Splunk's scripted input.",
            defaultValue = "file")
        Type type,
    @Key(doc = "Settings of type: hec.") @Nullable HecSinkConfig hec,
    @Key(doc = "Settings of type: file.") @Nullable FileSinkConfig file,
    @Key(doc = "Settings of type: stdout.") Stdout stdout,
    @Key(
            doc =
                "true: messages wait until this sink accepts them, and so do the other sinks. false:"
                    + " this sink never holds the others up. It misses messages if it does not keep"
                    + " up, and the bridge counts them. At least one sink must be required.",
            defaultValue = "true")
        boolean required,
    @Key(
            doc =
                "If required is false, the memory for messages that this sink has not accepted"
                    + " yet. A message that does not fit is missing there.",
            defaultValue = "32MiB")
        ByteSize buffer) {

  /** A kind of sink; each kind has a configuration section of its name. */
  public enum Type {
    HEC {
      @Override
      Sink open(SinkConfig config, SinkContext context) throws SinkException {
        return HecSink.open(config.hecSection(), context);
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
      Sink open(SinkConfig config, SinkContext context) throws SinkException {
        return FileSink.open(config.fileSection(), context);
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
      Sink open(SinkConfig config, SinkContext context) {
        return StdoutSink.open(config.stdout().line(), context);
      }

      @Override
      Payload payload(SinkConfig config, @Nullable Routing routing) {
        return config.stdout().line().payload();
      }
    };

    abstract Sink open(SinkConfig config, SinkContext context) throws SinkException;

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
  record Stdout(
      @Key(doc = "The same as sink.file.line.", defaultValue = "message") LineFormat line) {}

  public SinkConfig {
    if (type == Type.HEC && hec == null) {
      throw Checks.refuse("hec.urls", "is missing; it has no default");
    }
    if (type == Type.FILE && file == null) {
      throw Checks.refuse("file.path", "is missing; it has no default");
    }
    Checks.within("buffer", buffer, new ByteSize(1 << 20), new ByteSize(16L << 30));
  }

  /** Returns the section {@code hec} if this is a sink of that type, or null. */
  public @Nullable HecSinkConfig activeHec() {
    return type == Type.HEC ? hec : null;
  }

  private HecSinkConfig hecSection() {
    return Objects.requireNonNull(hec, "checked by the constructor");
  }

  private FileSinkConfig fileSection() {
    return Objects.requireNonNull(file, "checked by the constructor");
  }

  /**
   * Opens the sink under a name.
   *
   * @param isOnly whether the bridge has no other sink
   * @param failed called with one line for an operator when a required sink will never accept
   *     anything again
   * @param board where the sink shows what is wrong with it
   */
  Sinks.Member open(String name, boolean isOnly, Consumer<String> failed, Conditions board)
      throws SinkException {
    SinkContext context =
        isOnly
            ? SinkContext.ofOnly(failed, board)
            : new SinkContext(
                Sink.SUBJECT + " " + name,
                required ? Level.DEGRADED : Level.ATTENTION,
                failed,
                board);
    Sink member =
        required
            ? type.open(this, context)
            : new BestEffortSink(
                name,
                type.open(this, BestEffortSink.contextOf(name, context)),
                buffer.bytes(),
                context);
    return new Sinks.Member(name, type.word(), context.subject(), required, member);
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
