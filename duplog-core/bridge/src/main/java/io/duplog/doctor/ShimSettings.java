package io.duplog.doctor;

import io.duplog.amqp.BrokerSection;
import io.duplog.config.ByteSize;
import io.duplog.config.ConfigException;
import io.duplog.config.ConfigLoader;
import io.duplog.config.Key;
import io.duplog.config.Secret;
import io.duplog.tls.TlsConfig;
import io.duplog.wire.Topology;
import java.nio.file.Path;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * The settings in a shim's configuration file with which the doctor compares rsyslog's
 * configuration. The shim is a separate program that is not on the bridge's class path, so its
 * names and defaults are repeated here. A test compares them with the shim's.
 */
public record ShimSettings(
    @Key(doc = "As in duplog-ingest.") String stream,
    @Key(doc = "As in duplog-ingest.") Broker broker,
    @Key(doc = "As in duplog-ingest.") Omprog omprog,
    @Key(doc = "As in duplog-ingest.", whereWanted = true) @Nullable Listen listen,
    @Key(doc = "As in duplog-ingest.") Batch batch) {

  /** Settings in the section {@code broker} of the shim's file. */
  public record Broker(
      @Key(doc = "As in duplog-ingest.", defaultValue = "127.0.0.1") String host,
      @Key(doc = "As in duplog-ingest.", defaultValue = "5672") int port,
      @Key(doc = "As in duplog-ingest.", defaultValue = "/") String virtualHost,
      @Key(doc = "As in duplog-ingest.") String user,
      @Key(doc = "As in duplog-ingest.") Secret password,
      @Key(doc = "As in duplog-ingest.", defaultValue = Topology.DEFAULT_QUEUE) String queue,
      @Key(doc = "As in duplog-ingest.", defaultValue = "classic") Topology.QueueType queueType,
      @Key(doc = "As in duplog-ingest.", defaultValue = "1") int queueCount,
      @Key(doc = "As in duplog-ingest.", whereWanted = true) @Nullable TlsConfig tls)
      implements BrokerSection {}

  /**
   * The shim's setting {@code omprog.mode}, which determines how rsyslog's action communicates with
   * the shim.
   */
  public enum Mode {
    CONFIRM,
    TRANSACTIONS,
    LINES
  }

  /** Settings in the section {@code omprog} of the shim's file. */
  public record Omprog(
      @Key(doc = "As in duplog-ingest.", defaultValue = "confirm") Mode mode,
      @Key(doc = "As in duplog-ingest.", defaultValue = "BEGIN TRANSACTION") String beginMark,
      @Key(doc = "As in duplog-ingest.", defaultValue = "COMMIT TRANSACTION") String commitMark,
      @Key(doc = "As in duplog-ingest.", defaultValue = "true") boolean senderPrefix,
      @Key(doc = "As in duplog-ingest.", defaultValue = "1MiB") ByteSize maxMessage,
      @Key(doc = "As in duplog-ingest.", defaultValue = "30s") Duration patience,
      @Key(doc = "As in duplog-ingest.", defaultValue = "1s") Duration keepAlive) {}

  /** Settings in the section {@code listen} of the shim's file. */
  public record Listen(@Key(doc = "As in duplog-ingest.", defaultValue = "516") int port) {}

  /** Settings in the section {@code batch} of the shim's file. */
  public record Batch(@Key(doc = "As in duplog-ingest.", defaultValue = "4096") int maxMessages) {}

  /**
   * Reads the shim's file, and ignores keys that the doctor does not need.
   *
   * @throws ConfigException whose message is one line for the administrator
   */
  public static ShimSettings load(Path file) throws ConfigException {
    return ConfigLoader.ofSystem().loadSome(file, ShimSettings.class);
  }
}
