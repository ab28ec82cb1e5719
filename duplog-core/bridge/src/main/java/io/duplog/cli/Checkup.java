package io.duplog.cli;

import io.duplog.amqp.BrokerLogin;
import io.duplog.bridge.settings.BridgeConfig;
import io.duplog.bridge.settings.BridgeDemand;
import io.duplog.bridge.settings.DedupConfig;
import io.duplog.bridge.settings.SinkConfig;
import io.duplog.config.ConfigException;
import io.duplog.dedup.redis.RedisInspection;
import io.duplog.dedup.redis.RedisStore;
import io.duplog.deliver.hec.HecSinkConfig;
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
import io.duplog.doctor.ResourceCheck;
import io.duplog.doctor.ShimSettings;
import io.duplog.doctor.SyslogCanary;
import io.duplog.doctor.TrialCheck;
import io.duplog.process.ProcessLimits;
import io.duplog.receive.QueueSettings;
import io.duplog.receive.QueueShare;
import io.duplog.status.ListenCheck;
import io.duplog.status.StatusConfig;
import io.duplog.wire.CompressionTrial;
import io.duplog.wire.Topology;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Selects the checks that the doctor makes for a configuration, in the order of a message's path.
 *
 * @param managements management plugins by stream
 * @param rate messages a second, or 0 if unknown
 * @param targets rsyslog inputs that receive a canary by syslog
 * @param id part of each canary, with which the doctor recognises it
 * @param clocks receives the clock times that the checks read
 */
record Checkup(
    Map<String, Management> managements,
    long rate,
    Checkup.Canaries canaries,
    List<SyslogCanary.Target> targets,
    String id,
    ClockCheck clocks) {
  /** The canaries that the doctor may send. A canary is a message that tests a path. */
  enum Canaries {
    /** Sends no canary messages. */
    NONE,
    /** Sends canaries only through separate queues, which belong to no stream. */
    APART,
    /** Also sends canaries as real messages, which arrive in the merged stream. */
    REAL
  }

  /**
   * Returns the checks that a bridge has to pass before it starts on this host. They send nothing
   * and do not need a running bridge.
   */
  static List<Check> beforeStart(BridgeConfig config) {
    List<Check> checks = new ArrayList<>();
    checks.add(
        new TrialCheck(
            "compression",
            CompressionTrial::run,
            "a body can be compressed and read again",
            "a bridge can't read what shims compress",
            "run this as the bridge's user; a folder where that user may write and execute"));
    Checkup checkup = new Checkup(Map.of(), 0, Canaries.NONE, List.of(), "", new ClockCheck());
    checks.addAll(checkup.subjects(config, true));
    StatusConfig page = config.status();
    if (!page.isOff()) {
      checks.add(
          new TrialCheck(
              "status.listen " + page.listen(),
              () -> ListenCheck.run(page, config.name()),
              "the page can be served there",
              "the bridge does not start",
              "status.listen with an address of this host and a free port"));
    }
    return checks;
  }

  /** Returns the checks of the whole installation that a bridge's configuration describes. */
  List<Check> of(BridgeConfig config) {
    List<Check> checks = subjects(config, false);
    boolean shared = config.dedup().store() == DedupConfig.Store.REDIS;
    if (canaries == Canaries.REAL) {
      @Nullable RedisInspection redis = shared ? new RedisInspection(config.redis()) : null;
      checks.add(new PathCanary(firstQueues(config), redis, config.dedup().window(), id));
    }
    if (!targets.isEmpty()) {
      checks.add(new SyslogCanary(targets, outputFile(config), id + "-syslog"));
    }
    config.certificateFiles().forEach(file -> checks.add(new CertificateCheck(file, Instant::now)));
    checks.add(clocks);
    return checks;
  }

  /** Returns the checks of a bridge's requirements: limits, brokers, Redis and sink. */
  private List<Check> subjects(BridgeConfig config, boolean beforeStart) {
    boolean shared = config.dedup().store() == DedupConfig.Store.REDIS;
    int wantedBridges = shared ? 2 : 1;
    List<Check> checks = new ArrayList<>();
    checks.add(resources(config, ProcessLimits.ofBridge()));
    config.queues().forEach(queue -> checks.add(queue(queue, beforeStart ? 0 : wantedBridges)));
    checks.add(
        new BrokersCheck(
            config.queues(),
            shared ? config.redis() : null,
            beforeStart || canaries != Canaries.NONE));
    if (shared) {
      checks.addAll(redis(config, beforeStart));
      checks.addAll(agreements(config));
    }
    config
        .allSinks()
        .forEach((name, sink) -> checks.add(sink(config.sink() == null ? name + " " : "", sink)));
    return checks;
  }

  /** Returns the checks of the broker that a shim's configuration file names. */
  List<Check> ofShim(Path file) throws ConfigException {
    ShimSettings shim = ShimSettings.load(file);
    ShimSettings.Broker broker = shim.broker();
    BrokerLogin login =
        broker.login("broker " + shim.stream(), Duration.ofSeconds(2), Duration.ofSeconds(10));
    List<Check> checks = new ArrayList<>();
    for (String queue : Topology.queues(broker.queue(), broker.queueCount())) {
      QueueSettings settings =
          new QueueSettings(
              shim.stream(),
              login,
              queue,
              broker.queueType(),
              QueueShare.WHOLE,
              1,
              Duration.ofSeconds(1),
              Duration.ofSeconds(1));
      checks.add(queue(settings, 2));
    }
    return checks;
  }

  private QueueCheck queue(QueueSettings queue, int wantedBridges) {
    return new QueueCheck(
        queue, wantedBridges, managements.get(queue.stream()), canaries != Canaries.NONE, clocks);
  }

  /** Returns the first file that a sink writes plain lines to, or null if there is none. */
  private static @Nullable Path outputFile(BridgeConfig config) {
    return config.allSinks().values().stream()
        .map(SinkConfig::outputFile)
        .filter(Objects::nonNull)
        .findFirst()
        .orElse(null);
  }

  /**
   * @param name the sink's name and a space, or nothing if it is the only sink
   */
  private Check sink(String name, SinkConfig sink) {
    @Nullable HecSinkConfig hec = sink.activeHec();
    if (hec != null) {
      return new HecCheck(name, hec, canaries == Canaries.REAL, id, clocks);
    }
    String subject = "sink " + name + sink.type().word();
    if (sink.type().isRemote()) {
      return new TrialCheck(
          subject,
          sink::check,
          "it can be reached",
          "nothing is delivered there, and messages wait in the brokers",
          "check the receiver, the network path to it, and the certificates");
    }
    String file = sink.outputFile() == null ? "" : " " + sink.outputFile();
    return new TrialCheck(
        subject + file,
        sink::check,
        "it can be opened by this user",
        "the bridge does not start, and messages wait in the brokers",
        "rights and space for the user that runs the bridge; run doctor as that user too");
  }

  private List<Check> redis(BridgeConfig config, boolean beforeStart) {
    DedupConfig dedup = config.dedup();
    String alone =
        dedup.whenUnavailable() == DedupConfig.WhenUnavailable.LOCAL
            ? "each bridge deduplicates by its own memory, so that a message comes twice unless one"
                + " bridge takes all its copies"
            : RedisCheck.PASSES_THROUGH;
    @Nullable RedisStore spare = config.spare();
    String without = spare == null ? alone : "all bridges ask the spare Redis";
    List<Check> checks = new ArrayList<>();
    RedisCheck.Part first = new RedisCheck.Part("Redis", "dedup.redis", without);
    checks.add(new RedisCheck(config.redis(), dedup.window(), rate, beforeStart, clocks, first));
    if (spare != null) {
      String both = "there is no spare: should dedup.redis fail, " + alone;
      RedisCheck.Part second = new RedisCheck.Part("spare Redis", "dedup.spare", both);
      checks.add(new RedisCheck(spare, dedup.window(), rate, beforeStart, clocks, second));
    }
    return checks;
  }

  /** Returns the first queue of each stream. Its broker stores the stream's dead letters. */
  private static List<QueueSettings> firstQueues(BridgeConfig config) {
    Set<String> streams = new HashSet<>();
    return config.queues().stream().filter(queue -> streams.add(queue.stream())).toList();
  }

  /** Returns the check that a process's limits are high enough for the configuration. */
  static Check resources(BridgeConfig config, ProcessLimits limits) {
    return new ResourceCheck(BridgeDemand.of(config), limits);
  }

  /** Returns the checks that each Redis would accept a bridge with this configuration. */
  private static List<Check> agreements(BridgeConfig config) {
    RedisStore redis = config.redis();
    @Nullable RedisStore spare = config.spare();
    List<Check> checks = new ArrayList<>();
    checks.add(agreement(config, redis, null));
    if (spare != null) {
      checks.add(agreement(config, spare, redis));
    }
    return checks;
  }

  private static Check agreement(
      BridgeConfig config, RedisStore redis, @Nullable RedisStore mainRedis) {
    return new AgreementCheck(
        redis,
        mainRedis,
        config.name(),
        config.streamOrder(),
        config.dedup().window(),
        config.dedup().identity());
  }
}
