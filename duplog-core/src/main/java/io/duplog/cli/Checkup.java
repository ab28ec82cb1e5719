package io.duplog.cli;

import io.duplog.amqp.BrokerLogin;
import io.duplog.bridge.settings.BridgeConfig;
import io.duplog.bridge.settings.DedupConfig;
import io.duplog.bridge.settings.Settings;
import io.duplog.bridge.settings.SinkConfig;
import io.duplog.config.ConfigException;
import io.duplog.dedup.redis.RedisInspection;
import io.duplog.dedup.redis.RedisSettings;
import io.duplog.deliver.SinkException;
import io.duplog.deliver.hec.HecProbe;
import io.duplog.doctor.AgreementCheck;
import io.duplog.doctor.BrokersCheck;
import io.duplog.doctor.CertificateCheck;
import io.duplog.doctor.Check;
import io.duplog.doctor.ClockCheck;
import io.duplog.doctor.HecCheck;
import io.duplog.doctor.Management;
import io.duplog.doctor.PathCanary;
import io.duplog.doctor.QueueCheck;
import io.duplog.doctor.RedisCheck;
import io.duplog.doctor.ShimSettings;
import io.duplog.doctor.SinkCheck;
import io.duplog.doctor.SyslogCanary;
import io.duplog.receive.QueueSettings;
import io.duplog.receive.Share;
import io.duplog.tls.Tls;
import io.duplog.wire.Topology;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Which checks the doctor makes of a configuration, in the order of the journey.
 *
 * @param managements by stream
 * @param rate messages a second; 0 where nobody said
 * @param targets the nodes' rsyslogs, for a message by syslog
 * @param id stands in what is sent
 * @param clocks that the checks learn of
 */
record Checkup(
    Map<String, Management> managements,
    long rate,
    Checkup.Canaries canaries,
    List<SyslogCanary.Target> targets,
    String id,
    ClockCheck clocks) {
  /** What may be sent. */
  enum Canaries {
    /** Nothing. */
    NONE,
    /** Only what touches no stream. */
    APART,
    /** Messages that end in the merged stream. */
    REAL
  }

  /** Of the whole, as a bridge sees it. */
  List<Check> of(BridgeConfig config) throws SinkException {
    boolean shared = config.dedup().store() == DedupConfig.Store.REDIS;
    List<Check> checks = new ArrayList<>();
    Settings.queues(config).forEach(queue -> checks.add(queue(queue, shared ? 2 : 1)));
    checks.add(brokers(config, canaries != Canaries.NONE));
    if (shared) {
      checks.addAll(redis(config));
      checks.addAll(agreements(config));
    }
    checks.add(sink(config));
    if (canaries == Canaries.REAL) {
      @Nullable RedisInspection redis =
          shared ? new RedisInspection(Settings.redisSettings(config)) : null;
      List<QueueSettings> onePerStream =
          Settings.queues(config).stream().filter(each -> each.share().number() == 0).toList();
      checks.add(new PathCanary(onePerStream, redis, config.dedup().window(), id));
    }
    if (!targets.isEmpty()) {
      checks.add(new SyslogCanary(targets, output(config), id + "-syslog"));
    }
    Settings.certificateFiles(config)
        .forEach(file -> checks.add(new CertificateCheck(file, Instant::now)));
    checks.add(clocks);
    return checks;
  }

  /** Of one ingest node's broker, as the shim's file names it. */
  List<Check> ofShim(Path file) throws ConfigException {
    ShimSettings shim = ShimSettings.load(file);
    ShimSettings.Broker broker = shim.broker();
    Tls tls =
        broker.tls() == null
            ? null
            : Tls.ofClient(
                "broker %s %s:%d".formatted(shim.stream(), broker.host(), broker.port()),
                broker.tls());
    BrokerLogin login =
        new BrokerLogin(
            broker.host(),
            broker.port(),
            broker.virtualHost(),
            broker.user(),
            broker.password().reveal(),
            Duration.ofSeconds(2),
            Duration.ofSeconds(10),
            tls);
    List<Check> checks = new ArrayList<>();
    for (String queue : Topology.queues(broker.queue(), broker.queueCount())) {
      QueueSettings settings =
          new QueueSettings(
              shim.stream(),
              login,
              queue,
              broker.queueType(),
              Share.WHOLE,
              1,
              Duration.ofSeconds(1),
              Duration.ofSeconds(1));
      checks.add(queue(settings, 2));
    }
    return checks;
  }

  private QueueCheck queue(QueueSettings queue, int bridgesWanted) {
    return new QueueCheck(
        queue, bridgesWanted, managements.get(queue.stream()), canaries != Canaries.NONE, clocks);
  }

  private Check sink(BridgeConfig config) throws SinkException {
    SinkConfig sink = config.sink();
    return switch (sink.type()) {
      case HEC ->
          new HecCheck(
              HecProbe.of(Objects.requireNonNull(sink.hec())),
              canaries == Canaries.REAL,
              id,
              clocks);
      case FILE, STDOUT ->
          new SinkCheck(
              sink.type() == SinkConfig.Type.STDOUT
                  ? "sink stdout"
                  : "sink file " + Objects.requireNonNull(sink.file()).path(),
              () -> Settings.checkSink(config));
    };
  }

  private List<Check> redis(BridgeConfig config) {
    DedupConfig dedup = config.dedup();
    String alone =
        dedup.whenUnavailable() == DedupConfig.WhenUnavailable.LOCAL
            ? "each bridge deduplicates by its own memory, so that a message comes twice unless one"
                + " bridge takes all its copies"
            : RedisCheck.PASSES_THROUGH;
    @Nullable RedisSettings spare = Settings.spareSettings(config);
    String without = spare == null ? alone : "all bridges ask the spare Redis";
    List<Check> checks = new ArrayList<>();
    RedisCheck.Part first = new RedisCheck.Part("Redis", "dedup.redis", without);
    checks.add(new RedisCheck(Settings.redisSettings(config), dedup.window(), rate, clocks, first));
    if (spare != null) {
      String both = "there is no spare: should dedup.redis fail, " + alone;
      RedisCheck.Part second = new RedisCheck.Part("spare Redis", "dedup.spare", both);
      checks.add(new RedisCheck(spare, dedup.window(), rate, clocks, second));
    }
    return checks;
  }

  /** Whether each stream is a queue of its own, and the one that others take for it. */
  static Check brokers(BridgeConfig config, boolean looksInside) {
    boolean shared = config.dedup().store() == DedupConfig.Store.REDIS;
    return new BrokersCheck(
        Settings.queues(config), shared ? Settings.redisSettings(config) : null, looksInside);
  }

  /** Whether each Redis would take a bridge of this configuration. */
  static List<Check> agreements(BridgeConfig config) {
    return Stream.of(Settings.redisSettings(config), Settings.spareSettings(config))
        .filter(Objects::nonNull)
        .<Check>map(
            redis ->
                new AgreementCheck(
                    redis,
                    config.name(),
                    Settings.streamOrder(config),
                    config.dedup().window(),
                    config.dedup().identity()))
        .toList();
  }

  private static @Nullable Path output(BridgeConfig config) {
    return config.sink().type() == SinkConfig.Type.FILE && config.sink().file() != null
        ? config.sink().file().file()
        : null;
  }
}
