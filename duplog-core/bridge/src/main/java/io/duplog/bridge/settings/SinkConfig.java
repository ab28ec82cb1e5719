package io.duplog.bridge.settings;

import io.duplog.config.ByteSize;
import io.duplog.config.Checks;
import io.duplog.config.ConfigException;
import io.duplog.config.Key;
import io.duplog.deliver.BestEffortSink;
import io.duplog.deliver.Payload;
import io.duplog.deliver.Sink;
import io.duplog.deliver.SinkContext;
import io.duplog.deliver.SinkException;
import io.duplog.deliver.Sinks;
import io.duplog.deliver.archive.ArchiveSink;
import io.duplog.deliver.archive.ArchiveSinkConfig;
import io.duplog.deliver.file.FileSink;
import io.duplog.deliver.file.FileSinkConfig;
import io.duplog.deliver.hec.HecSink;
import io.duplog.deliver.hec.HecSinkConfig;
import io.duplog.deliver.kafka.KafkaCheck;
import io.duplog.deliver.kafka.KafkaSink;
import io.duplog.deliver.kafka.KafkaSinkConfig;
import io.duplog.deliver.line.LineFormat;
import io.duplog.deliver.route.Routing;
import io.duplog.deliver.route.RoutingConfig;
import io.duplog.deliver.stdout.StdoutSink;
import io.duplog.deliver.syslogout.SyslogSink;
import io.duplog.deliver.syslogout.SyslogSinkConfig;
import io.duplog.deliver.tap.TappedMessage;
import io.duplog.observe.Conditions;
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
                "hec: Splunk's HTTP Event Collector. file: a file. archive: compressed files that"
                    + " are kept. stdout: standard output, for Splunk's scripted input. syslog:"
                    + " another syslog server. kafka: a topic of Kafka.",
            defaultValue = "file")
        Type type,
    @Key(doc = "Settings of type: hec.") @Nullable HecSinkConfig hec,
    @Key(doc = "Settings of type: file.") @Nullable FileSinkConfig file,
    @Key(doc = "Settings of type: archive.") @Nullable ArchiveSinkConfig archive,
    @Key(doc = "Settings of type: stdout.") Stdout stdout,
    @Key(doc = "Settings of type: syslog.") @Nullable SyslogSinkConfig syslog,
    @Key(doc = "Settings of type: kafka.") @Nullable KafkaSinkConfig kafka,
    @Key(
            doc =
                "true: messages wait until this sink accepts them, and the other sinks wait, too. false:"
                    + " this sink never holds the others up. It misses messages if it does not keep"
                    + " up, and the bridge counts them. Those in its buffer are missing, too, if the"
                    + " bridge is killed. Nobody counts these. At least one sink must be required.",
            defaultValue = "true")
        boolean required,
    @Key(
            doc =
                "If required is false, the memory for messages that this sink has not accepted"
                    + " yet. A message that does not fit is missing there.",
            defaultValue = "32MiB")
        ByteSize buffer,
    @Key(
            doc =
                "Rules that drop, sample or mask messages of a sink without metadata, such as a file."
                    + " Metadata that they set has no effect, except the topic of a sink of type: kafka.",
            sameAs = "hec.routing")
        @Nullable RoutingConfig routing) {

  /** A kind of sink; each kind has a configuration section of its name. */
  public enum Type {
    HEC {
      @Override
      Sink open(SinkConfig config, @Nullable Routing rules, SinkContext context)
          throws SinkException {
        return HecSink.open(config.hecSection(), context);
      }

      @Override
      Payload payload(SinkConfig config, @Nullable Routing routing) {
        return config.hecSection().payload(Objects.requireNonNull(routing));
      }

      @Override
      List<CertificateFile> certificateFiles(SinkConfig config) {
        return filesOf(config.hecSection().tls());
      }
    },
    FILE {
      @Override
      Sink open(SinkConfig config, @Nullable Routing rules, SinkContext context)
          throws SinkException {
        return FileSink.open(config.fileSection(), context);
      }

      @Override
      void check(SinkConfig config, @Nullable Routing rules) throws SinkException {
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
    ARCHIVE {
      @Override
      Sink open(SinkConfig config, @Nullable Routing rules, SinkContext context)
          throws SinkException {
        return ArchiveSink.open(config.archiveSection(), context);
      }

      @Override
      void check(SinkConfig config, @Nullable Routing rules) throws SinkException {
        ArchiveSink.check(config.archiveSection());
      }

      @Override
      Payload payload(SinkConfig config, @Nullable Routing routing) {
        return config.archiveSection().line().payload();
      }
    },
    STDOUT {
      @Override
      Sink open(SinkConfig config, @Nullable Routing rules, SinkContext context) {
        return StdoutSink.open(config.stdout().line(), context);
      }

      @Override
      Payload payload(SinkConfig config, @Nullable Routing routing) {
        return config.stdout().line().payload();
      }
    },
    SYSLOG {
      @Override
      Sink open(SinkConfig config, @Nullable Routing rules, SinkContext context) {
        return SyslogSink.open(config.syslogSection(), context);
      }

      @Override
      void check(SinkConfig config, @Nullable Routing rules) throws SinkException {
        SyslogSink.check(config.syslogSection());
      }

      @Override
      Payload payload(SinkConfig config, @Nullable Routing routing) {
        return config.syslogSection().framing().payload();
      }

      @Override
      List<CertificateFile> certificateFiles(SinkConfig config) {
        return filesOf(config.syslogSection().tls());
      }
    },
    KAFKA {
      @Override
      Sink open(SinkConfig config, @Nullable Routing rules, SinkContext context) {
        return KafkaSink.open(config.kafkaSection(), rules, context);
      }

      @Override
      void check(SinkConfig config, @Nullable Routing rules) throws SinkException {
        KafkaCheck.check(config.kafkaSection(), rules);
      }

      @Override
      Payload payload(SinkConfig config, @Nullable Routing routing) {
        return config.kafkaSection().payload();
      }

      @Override
      List<CertificateFile> certificateFiles(SinkConfig config) {
        return filesOf(config.kafkaSection().tls());
      }
    };

    abstract Sink open(SinkConfig config, @Nullable Routing rules, SinkContext context)
        throws SinkException;

    void check(SinkConfig config, @Nullable Routing rules) throws SinkException {
      // standard output is always open, and HecProbe checks what HEC needs
    }

    abstract Payload payload(SinkConfig config, @Nullable Routing routing);

    List<CertificateFile> certificateFiles(SinkConfig config) {
      return List.of();
    }

    private static List<CertificateFile> filesOf(@Nullable TlsConfig tls) {
      return tls == null ? List.of() : tls.certificateFiles();
    }

    @Nullable Path file(SinkConfig config) {
      return null;
    }

    /** Whether {@link #check} connects to a server. */
    public boolean isRemote() {
      return switch (this) {
        case HEC, SYSLOG, KAFKA -> true;
        case FILE, ARCHIVE, STDOUT -> false;
      };
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
    switch (type) {
      case HEC -> demand(hec, "hec.urls");
      case FILE -> demand(file, "file.path");
      case ARCHIVE -> demand(archive, "archive.folder");
      case SYSLOG -> demand(syslog, "syslog.addresses");
      case KAFKA -> demand(kafka, "kafka.servers");
      case STDOUT -> {} // its section has only defaults
    }
    if (type == Type.HEC && routing != null) {
      throw Checks.refuse("routing", "must not be set for type: hec; its rules are in hec.routing");
    }
    if (type != Type.KAFKA) {
      refuseTopics(type, "hec.routing", type == Type.HEC && hec != null ? hec.routing() : null);
      refuseTopics(type, "routing", routing);
    }
    Checks.within("buffer", buffer, new ByteSize(1 << 20), new ByteSize(16L << 30));
  }

  private static void demand(@Nullable Record section, String key) {
    if (section == null) {
      throw Checks.refuse(key, "is missing; it has no default");
    }
  }

  /** Rejects topics in the sink's own rules. A file of rules may be shared with a Kafka sink. */
  private static void refuseTopics(Type type, String key, @Nullable RoutingConfig rules) {
    int number = 0;
    for (RoutingConfig.Rule rule : rules == null ? List.<RoutingConfig.Rule>of() : rules.rules()) {
      if (rule.set() != null && rule.set().topic() != null) {
        throw Checks.refuse(
            key + ".rules[" + number + "].set.topic",
            "must not be set for type: " + type.word() + "; only a sink of type: kafka has topics");
      }
      number++;
    }
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

  private KafkaSinkConfig kafkaSection() {
    return Objects.requireNonNull(kafka, "checked by the constructor");
  }

  private SyslogSinkConfig syslogSection() {
    return Objects.requireNonNull(syslog, "checked by the constructor");
  }

  private ArchiveSinkConfig archiveSection() {
    return Objects.requireNonNull(archive, "checked by the constructor");
  }

  /**
   * Opens the sink under a name.
   *
   * @param bridge the bridge's name
   * @param isOnly whether the bridge has no other sink
   * @param failed called with one line for an operator when a required sink will never accept
   *     anything again
   * @param board where the sink shows what is wrong with it
   */
  Sinks.Member open(
      String bridge, String name, boolean isOnly, Consumer<String> failed, Conditions board)
      throws SinkException {
    SinkContext context =
        new SinkContext(
            bridge, isOnly ? Sink.SUBJECT : Sink.SUBJECT + " " + name, required, failed, board);
    Routing rules = openRules();
    Sink sink =
        type.open(this, rules, required ? context : BestEffortSink.contextOf(name, context));
    Sink member = required ? sink : new BestEffortSink(name, sink, buffer.bytes(), context);
    return new Sinks.Member(
        name,
        type.word(),
        context.subject(),
        required,
        member,
        rules == null ? sink.routing() : rules);
  }

  /** Opens the section {@code routing}, or returns null if there is none. */
  private @Nullable Routing openRules() throws SinkException {
    try {
      return routing == null ? null : new Routing(routing).open();
    } catch (ConfigException e) {
      String lines = String.valueOf(e.getMessage()).replace("\n", "; ");
      throw new SinkException("the rules of sink " + type.word() + " can't be read: " + lines, e);
    }
  }

  /** Returns the section with the sink's rules, or null if it has none. */
  public @Nullable RoutingConfig rules() {
    return type == Type.HEC ? hecSection().routing() : routing;
  }

  /** Returns the topic of messages for which no rule sets one, or null if the sink has none. */
  public @Nullable String topic() {
    return type == Type.KAFKA ? kafkaSection().topic() : null;
  }

  /** Returns the key of {@link #rules}, below the sink's own. */
  public String rulesKey() {
    return type == Type.HEC ? "hec.routing" : "routing";
  }

  /** Checks whether the sink's output can be opened. Changes nothing and delivers nothing. */
  public void check() throws SinkException {
    type.check(this, openRules());
  }

  /** Returns the file that the sink writes to, or null if the sink writes to no file. */
  public @Nullable Path outputFile() {
    return type.file(this);
  }

  /** Returns the file or the folder that belongs to this sink alone, or null if there is none. */
  @Nullable Path output() {
    return type == Type.ARCHIVE ? Path.of(archiveSection().folder()) : outputFile();
  }

  /** Returns the certificate files that the sink's section names. */
  public List<CertificateFile> certificateFiles() {
    return type.certificateFiles(this);
  }

  /** Creates the object with which one tap reads messages and encodes them as this sink does. */
  public TappedMessage tapped(Sinks.Member member) {
    Routing metadata = member.sink().routing();
    return new TappedMessage(metadata, member.rules(), type.payload(this, metadata));
  }
}
