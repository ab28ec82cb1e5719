package io.duplog.bridge.settings;

import static java.util.stream.Collectors.joining;

import io.duplog.config.ByteSize;
import io.duplog.config.Checks;
import io.duplog.config.Key;
import io.duplog.config.LogConfig;
import io.duplog.config.Reference;
import io.duplog.coverage.CoverageConfig;
import io.duplog.dedup.StreamSet;
import io.duplog.dedup.redis.RedisConfig;
import io.duplog.dedup.redis.RedisStore;
import io.duplog.deliver.SinkException;
import io.duplog.deliver.Sinks;
import io.duplog.deliver.hec.HecSinkConfig;
import io.duplog.lag.LagConfig;
import io.duplog.observe.Conditions;
import io.duplog.pipeline.PipelineSettings;
import io.duplog.pipeline.SettleConfig;
import io.duplog.receive.QueueSettings;
import io.duplog.receive.ReceiveConfig;
import io.duplog.receive.StreamConfig;
import io.duplog.status.StatusConfig;
import io.duplog.tls.CertificateFile;
import io.duplog.tls.ServerTlsConfig;
import io.duplog.tls.TlsConfig;
import io.duplog.wire.BatchLimits;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Consumer;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The bridge's configuration file, with every key, its default, its unit and its meaning. */
public record BridgeConfig(
    @Key(
            doc = "Name of this bridge in logs, metrics and Redis. Different for each bridge.",
            defaultValue = "${hostname}")
        String name,
    @Key(
            doc =
                "The streams to merge, two to eight. Every bridge reads all of them."
                    + " Adding or removing one takes several steps in a certain order, which the"
                    + " manual lists.")
        List<StreamConfig> streams,
    @Key(doc = "How the bridge reads from the brokers.") ReceiveConfig receive,
    @Key(
            doc =
                "When the bridge acknowledges a batch to its broker, and how long a batch"
                    + " may wait for the sink.")
        SettleConfig settle,
    @Key(doc = "How the bridge recognises the copies of a message.") DedupConfig dedup,
    @Key(doc = "When a stream counts as dead.") LagConfig lag,
    @Key(
            doc =
                "Limits of a batch. A batch beyond one of them goes to the dead-letter"
                    + " queue. The defaults fit all settings of the shim.")
        Limits limits,
    @Key(doc = "Destination of the merged stream.") @Nullable SinkConfig sink,
    @Key(
            doc =
                "In place of sink, several sinks, each with a name of your choice and the keys of"
                    + " sink.",
            example = "splunk: {type: hec, hec: {…}}, copy: {type: file, file: {…}}")
        @Nullable Map<String, SinkConfig> sinks,
    @Key(doc = "The bridge's status page, metrics and health.") StatusConfig status,
    @Key(doc = "The comparison of the streams: which stream misses which messages.")
        CoverageConfig coverage,
    @Key(
            doc =
                "After SIGTERM, how long the bridge waits for the sink to accept what it"
                    + " holds. The brokers deliver the rest again, to this bridge or another.",
            defaultValue = "30s")
        Duration shutdownGrace,
    @Key(doc = "The log.") LogConfig log) {

  private static final String ABOUT =
      """
      Every key of /etc/duplog/duplog.yaml, the configuration of a bridge. `duplog reference` prints this.

      Place:  /etc/duplog/duplog.yaml on each bridge host, owner root, group duplog, mode 0640. The file
              can be the same on all bridges.
      Check:  runuser -u duplog -- duplog check --config /etc/duplog/duplog.yaml
      Change: systemctl restart duplog-bridge, on one bridge after another. Exceptions:
              "stop all of them to change it": stop all bridges, change all files, start all bridges.
              Rule files, host table, sender list and TLS files: no restart.
      """;

  private static final Pattern SINK_NAME = Pattern.compile("[A-Za-z0-9_-]{1,40}");

  private static final ByteSize ONE_BYTE = new ByteSize(1);

  /** The AMQP client's own limit. The client closes a connection on which a larger body arrives. */
  private static final ByteSize MAX_BODY = new ByteSize(64 << 20);

  private static final ByteSize MAX_BATCH = new ByteSize(1L << 30);

  /**
   * Time for which a ledger may be unavailable before dropped copies are released. Longer than
   * Redis's usual pauses, but too short for operators to notice.
   */
  private static final Duration RELEASE_AFTER = Duration.ofSeconds(1);

  /** Number of connections to Redis in addition to one for each worker. */
  private static final int EXTRA_CONNECTIONS = 3;

  public BridgeConfig {
    Checks.notBlank("name", name);
    Checks.positive("shutdown-grace", shutdownGrace);
    if (streams.size() < 2) {
      throw Checks.refuse(
          "streams", "must be at least two; with " + streams.size() + " there is nothing to merge");
    }
    if (streams.size() > StreamSet.MAX_STREAMS) {
      throw Checks.refuse(
          "streams", "must be at most " + StreamSet.MAX_STREAMS + ", not " + streams.size());
    }
    if (coverage.statements() != null && dedup.store() == DedupConfig.Store.MEMORY) {
      throw Checks.refuse(
          "coverage",
          "must have no section statements with dedup.store: memory, because memory is lost at a restart");
    }
    checkSinks(sink, sinks, settle);
    Set<String> names = new HashSet<>();
    Map<String, String> readBy = new HashMap<>();
    for (StreamConfig stream : streams) {
      if (!names.add(stream.name())) {
        throw Checks.refuse("streams", "must not have the name '" + stream.name() + "' twice");
      }
      for (String queue : stream.queueNames()) {
        String other = readBy.put(stream.broker() + " " + queue, stream.name());
        if (other != null) {
          throw Checks.refuse(
              "streams",
              "must not read one queue twice, as %s and %s do with '%s' of %s"
                  .formatted(other, stream.name(), queue, stream.broker()));
        }
      }
    }
    receive.check(name, streams);
    checkParts(dedup, streams);
  }

  private static void checkSinks(
      @Nullable SinkConfig sink, @Nullable Map<String, SinkConfig> sinks, SettleConfig settle) {
    if (sink == null && (sinks == null || sinks.isEmpty())) {
      throw Checks.refuse("sink", "is missing; it has no default");
    }
    if (sink != null && sinks != null) {
      throw Checks.refuse("sinks", "must not be set together with sink; move sink into sinks");
    }
    String key = sink == null ? "sinks" : "sink";
    Map<String, SinkConfig> all = named(sink, sinks, "");
    if (all.values().stream().noneMatch(SinkConfig::required)) {
      throw Checks.refuse(key, "must have at least one sink with required: true");
    }
    for (String name : all.keySet()) {
      if (sink == null && !SINK_NAME.matcher(name).matches()) {
        throw Checks.refuse(
            key, "must have names of letters, digits, '-' and '_', not '" + name + "'");
      }
    }
    checkOutputs(all);
    all.forEach((name, each) -> check(key, name.isEmpty() ? "" : name + ".", each, settle));
    long reports =
        all.values().stream()
            .map(SinkConfig::activeHec)
            .filter(hec -> hec != null && hec.report() != null)
            .count();
    if (reports > 1) {
      throw Checks.refuse(key, "must have at most one sink with hec.report");
    }
  }

  /** Rejects two sinks with one output, because they would cut off each other's lines. */
  private static void checkOutputs(Map<String, SinkConfig> sinks) {
    Map<Path, String> byOutput = new HashMap<>();
    String standardOutput = null;
    for (Map.Entry<String, SinkConfig> each : sinks.entrySet()) {
      String name = each.getKey();
      Path output = each.getValue().output();
      if (output != null) {
        String other = byOutput.put(output.toAbsolutePath().normalize(), name);
        if (other != null) {
          throw Checks.refuse(
              "sinks",
              "must write to different places; %s and %s both write to %s"
                  .formatted(other, name, output.normalize()));
        }
      }
      if (each.getValue().type() == SinkConfig.Type.STDOUT) {
        if (standardOutput != null) {
          throw Checks.refuse(
              "sinks",
              "must have at most one sink of type stdout; %s and %s are both"
                  .formatted(standardOutput, name));
        }
        standardOutput = name;
      }
    }
  }

  private static void check(String key, String prefix, SinkConfig sink, SettleConfig settle) {
    @Nullable HecSinkConfig hec = sink.hec();
    if (hec != null && hec.acknowledge() && hec.ackTimeout().compareTo(settle.holdLimit()) >= 0) {
      throw Checks.refuse(
          key,
          "must have an "
              + prefix
              + "hec.ack-timeout shorter than settle.hold-limit. Otherwise events that wait for"
              + " their acknowledgement are also given to other bridges");
    }
    if (hec != null && hec.requestTimeout().compareTo(settle.holdLimit()) >= 0) {
      throw Checks.refuse(
          key,
          "must have an "
              + prefix
              + "hec.request-timeout shorter than settle.hold-limit. Otherwise a collector that"
              + " hangs is noticed too late");
    }
  }

  /** Returns the sinks by name, in the file's order. A single sink has its type as name. */
  public Map<String, SinkConfig> allSinks() {
    return named(sink, sinks, sink == null ? "" : sink.type().word());
  }

  /**
   * @param name the name of a single sink
   */
  private static Map<String, SinkConfig> named(
      @Nullable SinkConfig sink, @Nullable Map<String, SinkConfig> sinks, String name) {
    if (sink != null) {
      return Map.of(name, sink);
    }
    return sinks == null ? Map.of() : sinks;
  }

  /** Returns the first HEC sink's section, or null if there is no such sink. */
  public @Nullable HecSinkConfig firstHec() {
    return allSinks().values().stream()
        .map(SinkConfig::activeHec)
        .filter(Objects::nonNull)
        .findFirst()
        .orElse(null);
  }

  /**
   * Opens all sinks.
   *
   * @param failed called with one line for an operator when a required sink will never accept
   *     anything again
   * @param board where the sinks show what is wrong with them
   */
  public Sinks openSinks(Consumer<String> failed, Conditions board) throws SinkException {
    List<Sinks.Member> members = new ArrayList<>();
    for (Map.Entry<String, SinkConfig> each : allSinks().entrySet()) {
      members.add(each.getValue().open(this.name, each.getKey(), sink != null, failed, board));
    }
    return new Sinks(members);
  }

  /**
   * Returns the sinks for a log line, such as {@code hec} or {@code splunk (hec), archive (file)}.
   */
  public String sinkNames() {
    return sink != null
        ? sink.type().word()
        : allSinks().entrySet().stream()
            .map(each -> each.getKey() + " (" + each.getValue().type().word() + ")")
            .collect(joining(", "));
  }

  /**
   * Rejects different queue counts in a cluster. There a message's queue determines its part of the
   * ledger, and all its copies must be counted in the same part.
   */
  private static void checkParts(DedupConfig dedup, List<StreamConfig> streams) {
    boolean same = streams.stream().mapToInt(StreamConfig::queueCount).distinct().count() == 1;
    if (dedup.redis().cluster() != null && !same) {
      throw Checks.refuse(
          "streams",
          "must all have the same queue-count with dedup.redis.cluster. Otherwise the copies of a"
              + " message are counted separately");
    }
  }

  /** The configuration section {@code limits}. */
  public record Limits(
      @Key(doc = "Maximum size of an AMQP body, as it travels.", defaultValue = "16MiB")
          ByteSize maxBody,
      @Key(doc = "Maximum size of a batch after decompression.", defaultValue = "32MiB")
          ByteSize maxBatch,
      @Key(
              doc = "Maximum number of messages in a batch.",
              defaultValue = "100000",
              unit = "messages")
          int maxMessages,
      @Key(
              doc = "Maximum length of a message, including the sender's address.",
              defaultValue = "1MiB")
          ByteSize maxMessage) {

    public Limits {
      Checks.within("max-body", maxBody, ONE_BYTE, MAX_BODY);
      Checks.within("max-batch", maxBatch, ONE_BYTE, MAX_BATCH);
      Checks.within("max-messages", maxMessages, 1, 100_000_000);
      Checks.within("max-message", maxMessage, ONE_BYTE, MAX_BATCH);
    }

    /** Converts the limits to the form that the batch decoder needs. */
    public BatchLimits toBatchLimits() {
      return new BatchLimits(
          maxBody.toIntExact(), maxBatch.toIntExact(), maxMessages, maxMessage.toIntExact());
    }
  }

  /** Returns the documentation of the file, with every key. */
  public static String reference() {
    return Reference.of(BridgeConfig.class, ABOUT);
  }

  /** Returns the streams' names for log lines, such as {@code syslog-a, syslog-b}. */
  public String streamNames() {
    return streams.stream().map(StreamConfig::name).collect(joining(", "));
  }

  /**
   * Returns the streams' names in alphabetical order. All bridges number the streams in this order.
   */
  public List<String> streamOrder() {
    return streams.stream().map(StreamConfig::name).sorted().toList();
  }

  /** Returns all queues to read, stream by stream. */
  public List<QueueSettings> queues() {
    return receive.queues(name, streams);
  }

  /** Returns the main Redis, which is not used if the store is memory. */
  public RedisStore redis() {
    boolean divided = dedup.redis().cluster() != null;
    return store(dedup.redis(), divided ? streams.get(0).queueCount() : 1);
  }

  /** Returns the spare Redis, or null if there is none. */
  public @Nullable RedisStore spare() {
    RedisConfig spare = dedup.spare();
    return spare == null ? null : store(spare, 1);
  }

  private RedisStore store(RedisConfig redis, int parts) {
    return new RedisStore(redis, parts, receive.workers() + EXTRA_CONNECTIONS);
  }

  /** Returns the part of the configuration that the pipeline needs, from several sections. */
  public PipelineSettings pipeline() {
    return new PipelineSettings(
        dedup.lease(),
        settle.holdLimit(),
        RELEASE_AFTER,
        dedup.mode() == DedupConfig.Mode.OBSERVE,
        receive.workers());
  }

  /**
   * Returns, by key, the settings that must be the same on all bridges but that Redis does not
   * enforce. Includes whether there is a spare Redis, but not its address, because bridges may
   * reach one server by different names.
   */
  public Map<String, String> sharedByAll() {
    List<String> bridges = receive.bridges();
    return Map.of(
        "receive.bridges", bridges.isEmpty() ? "not set" : String.join(",", bridges),
        "coverage.senders", String.valueOf(coverage.senders()),
        "dedup.spare", dedup.spare() == null ? "not set" : "set");
  }

  /** Returns all certificate files that the configuration names, without duplicates. */
  public Set<CertificateFile> certificateFiles() {
    Set<CertificateFile> files = new LinkedHashSet<>();
    streams.forEach(stream -> add(files, stream.tls()));
    Stream.of(dedup.redis(), dedup.spare())
        .filter(Objects::nonNull)
        .forEach(redis -> files.addAll(redis.certificateFiles()));
    allSinks().values().forEach(each -> files.addAll(each.certificateFiles()));
    ServerTlsConfig page = status.tls();
    add(files, page == null ? null : page.files());
    return files;
  }

  private static void add(Set<CertificateFile> files, @Nullable TlsConfig section) {
    if (section != null) {
      files.addAll(section.certificateFiles());
    }
  }
}
