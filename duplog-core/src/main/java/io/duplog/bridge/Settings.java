package io.duplog.bridge;

import io.duplog.config.Secret;
import io.duplog.dedup.GuardedLedger;
import io.duplog.dedup.Ledger;
import io.duplog.dedup.MemoryLedger;
import io.duplog.dedup.RedisLedger;
import io.duplog.dedup.RedisSettings;
import io.duplog.deliver.Sink;
import io.duplog.deliver.SinkException;
import io.duplog.deliver.file.FileSink;
import io.duplog.deliver.hec.HecSink;
import io.duplog.deliver.hec.HecSinkConfig;
import io.duplog.deliver.stdout.StdoutSink;
import io.duplog.receive.AcknowledgePolicy;
import io.duplog.receive.QueueSettings;
import io.duplog.tls.CertificateFile;
import io.duplog.tls.ServerTlsConfig;
import io.duplog.tls.Tls;
import io.duplog.tls.TlsConfig;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Makes the stations' settings and parts out of the configuration file. */
final class Settings {
  private Settings() {}

  /** The order in which all bridges count the streams, whatever their files' order. */
  static List<String> streamOrder(BridgeConfig config) {
    return config.streams().stream().map(BridgeConfig.Stream::name).sorted().toList();
  }

  static List<QueueSettings> queues(BridgeConfig config) {
    List<QueueSettings> queues = new ArrayList<>();
    BridgeConfig.Receive receive = config.receive();
    for (BridgeConfig.Stream stream : config.streams()) {
      Tls tls =
          stream.tls() == null
              ? null
              : Tls.ofClient(
                  "broker %s %s:%d".formatted(stream.name(), stream.host(), stream.port()),
                  stream.tls());
      for (String queue : stream.queues()) {
        queues.add(
            new QueueSettings(
                stream.name(),
                stream.host(),
                stream.port(),
                stream.virtualHost(),
                stream.user(),
                stream.password().reveal(),
                queue,
                stream.queueType(),
                receive.prefetch(),
                receive.connectTimeout(),
                receive.heartbeat(),
                receive.retryMin(),
                receive.retryMax(),
                tls));
      }
    }
    return queues;
  }

  static AcknowledgePolicy acknowledgePolicy(BridgeConfig config) {
    BridgeConfig.Settle settle = config.settle();
    return switch (settle.acknowledge()) {
      case EACH -> new AcknowledgePolicy.Each();
      case COUNT ->
          new AcknowledgePolicy.Count(settle.acknowledgeCount(), settle.acknowledgeInterval());
      case INTERVAL -> new AcknowledgePolicy.Interval(settle.acknowledgeInterval());
    };
  }

  /** The ledger, not connected yet. */
  static Ledger ledger(BridgeConfig config) {
    BridgeConfig.Dedup dedup = config.dedup();
    return switch (dedup.store()) {
      case MEMORY ->
          MemoryLedger.ofOneBridge(
              config.name(),
              config.streams().size(),
              dedup.window(),
              dedup.lease(),
              dedup.memory().maxDigests(),
              System::nanoTime);
      case REDIS -> {
        RedisLedger redis = redisLedger(config);
        GuardedLedger guarded =
            new GuardedLedger(redis, redis::probe, "Redis " + redisSettings(config).address());
        redis.onMove(guarded::askNow);
        yield guarded;
      }
    };
  }

  static RedisLedger redisLedger(BridgeConfig config) {
    BridgeConfig.Dedup dedup = config.dedup();
    // A process that comes back under the same name must not be taken for the one that died.
    String incarnation = config.name().replaceAll("\\s", "_") + "#" + UUID.randomUUID();
    return new RedisLedger(
        redisSettings(config), incarnation, streamOrder(config), dedup.window(), dedup.lease());
  }

  static RedisSettings redisSettings(BridgeConfig config) {
    BridgeConfig.Redis redis = config.dedup().redis();
    @Nullable Secret password = redis.password();
    @Nullable SentinelConfig sentinel = redis.sentinel();
    String hop =
        sentinel == null ? "%s:%d".formatted(redis.host(), redis.port()) : sentinel.master();
    return new RedisSettings(
        redis.host(),
        redis.port(),
        redis.user(),
        password == null ? null : password.reveal(),
        redis.database(),
        redis.prefix(),
        redis.timeout(),
        config.receive().workers() + 3,
        redis.tls() == null ? null : Tls.ofClient("Redis " + hop, redis.tls()),
        sentinel == null ? null : sentinel.settings());
  }

  /** All files of certificates that a configuration names, each once. */
  static Set<CertificateFile> certificateFiles(BridgeConfig config) {
    Set<CertificateFile> files = new LinkedHashSet<>();
    for (BridgeConfig.Stream stream : config.streams()) {
      add(files, stream.tls());
    }
    BridgeConfig.Redis redis = config.dedup().redis();
    add(files, redis.tls());
    add(files, redis.sentinel() == null ? null : redis.sentinel().tls());
    HecSinkConfig hec = config.sink().hec();
    if (hec != null) {
      files.addAll(hec.tls().certificateFiles());
    }
    ServerTlsConfig page = config.status().tls();
    if (page != null) {
      files.addAll(page.certificateFiles());
    }
    return files;
  }

  private static void add(Set<CertificateFile> files, @Nullable TlsConfig section) {
    if (section != null) {
      files.addAll(section.certificateFiles());
    }
  }

  /**
   * Opens the sink.
   *
   * @param fatal told in one line when the sink can never accept anything again
   */
  static Sink sink(BridgeConfig config, Consumer<String> fatal) throws SinkException {
    SinkConfig sink = config.sink();
    return switch (sink.type()) {
      case HEC -> HecSink.open(Objects.requireNonNull(sink.hec()), fatal);
      case FILE -> FileSink.open(Objects.requireNonNull(sink.file()), fatal);
      case STDOUT -> StdoutSink.open(sink.stdout().line(), fatal);
    };
  }

  /** Tries whether the sink could be opened, and leaves no trace of that. */
  static void checkSink(BridgeConfig config) throws SinkException {
    switch (config.sink().type()) {
      case HEC -> HecSink.check(Objects.requireNonNull(config.sink().hec()));
      case FILE -> FileSink.check(Objects.requireNonNull(config.sink().file()));
      case STDOUT -> {} // it is open, whatever it is
    }
  }
}
