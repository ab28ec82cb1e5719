package io.duplog.cli;

import io.duplog.amqp.BrokerLogin;
import io.duplog.bridge.settings.BridgeConfig;
import io.duplog.bridge.settings.BridgeDemand;
import io.duplog.bridge.settings.DedupConfig;
import io.duplog.bridge.settings.SinkConfig;
import io.duplog.config.ConfigException;
import io.duplog.dedup.redis.RedisInspection;
import io.duplog.dedup.redis.RedisStore;
import io.duplog.deliver.SinkException;
import io.duplog.deliver.hec.HecProbe;
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
import io.duplog.doctor.SinkCheck;
import io.duplog.doctor.SyslogCanary;
import io.duplog.observe.ProcessLimits;
import io.duplog.receive.QueueSettings;
import io.duplog.receive.QueueShare;
import io.duplog.wire.Topology;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Chooses the checks that the doctor makes of a configuration, in the order of a message's way.
 *
 * @param managements management plugins by stream
 * @param rate messages a second; 0 if unknown
 * @param targets rsyslog inputs that get a canary by syslog
 * @param id part of each canary, to find it again
 * @param clocks told of the clocks that the checks read
 */
record Checkup(
    Map<String, Management> managements,
    long rate,
    Checkup.Canaries canaries,
    List<SyslogCanary.Target> targets,
    String id,
    ClockCheck clocks) {
  /** Which canaries the doctor may send; a canary is a message that tries a path. */
  enum Canaries {
    /** Sends no canary messages. */
    NONE,
    /** The doctor sends canaries only through queues of its own, apart from all streams. */
    APART,
    /** The doctor also sends canaries as real messages, which end up in the merged stream. */
    REAL
  }

  /** Returns the checks of the whole installation that a bridge's configuration describes. */
  List<Check> of(BridgeConfig config) throws SinkException {
    boolean shared = config.dedup().store() == DedupConfig.Store.REDIS;
    List<Check> checks = new ArrayList<>();
    checks.add(resources(config, ProcessLimits.ofBridge()));
    config.queues().forEach(queue -> checks.add(queue(queue, shared ? 2 : 1)));
    checks.add(brokers(config, canaries != Canaries.NONE));
    if (shared) {
      checks.addAll(redis(config));
      checks.addAll(agreements(config));
    }
    checks.add(sink(config.sink()));
    if (canaries == Canaries.REAL) {
      @Nullable RedisInspection redis =
          shared ? new RedisInspection(config.redis()) : null;
      checks.add(
          new PathCanary(firstQueues(config), redis, config.dedup().window(), id));
    }
    if (!targets.isEmpty()) {
      checks.add(new SyslogCanary(targets, config.sink().outputFile(), id + "-syslog"));
    }
    config.certificateFiles()
        .forEach(file -> checks.add(new CertificateCheck(file, Instant::now)));
    checks.add(clocks);
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

  private QueueCheck queue(QueueSettings queue, int bridgesWanted) {
    return new QueueCheck(
        queue, bridgesWanted, managements.get(queue.stream()), canaries != Canaries.NONE, clocks);
  }

  private Check sink(SinkConfig sink) throws SinkException {
    @Nullable HecSinkConfig hec = sink.hec();
    if (sink.type() == SinkConfig.Type.HEC && hec != null) {
      return new HecCheck(HecProbe.of(hec), canaries == Canaries.REAL, id, clocks);
    }
    String file = sink.outputFile() == null ? "" : " " + sink.outputFile();
    return new SinkCheck("sink " + sink.type().word() + file, sink::check);
  }

  private List<Check> redis(BridgeConfig config) {
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
    checks.add(
        new RedisCheck(config.redis(), dedup.window(), rate, clocks, first));
    if (spare != null) {
      String both = "there is no spare: should dedup.redis fail, " + alone;
      RedisCheck.Part second = new RedisCheck.Part("spare Redis", "dedup.spare", both);
      checks.add(new RedisCheck(spare, dedup.window(), rate, clocks, second));
    }
    return checks;
  }

  /** Returns the first queue of each stream; its broker stores the stream's dead letters. */
  private static List<QueueSettings> firstQueues(BridgeConfig config) {
    Set<String> streams = new HashSet<>();
    return config.queues().stream().filter(queue -> streams.add(queue.stream())).toList();
  }

  /** Returns the check that a process's limits allow what the configuration needs. */
  static Check resources(BridgeConfig config, ProcessLimits limits) {
    return new ResourceCheck(BridgeDemand.of(config), limits);
  }

  /** Returns the check that each stream has its own queue, which is the same on all bridges. */
  static Check brokers(BridgeConfig config, boolean looksInside) {
    boolean shared = config.dedup().store() == DedupConfig.Store.REDIS;
    return new BrokersCheck(
        config.queues(),
        shared ? config.redis() : null,
        looksInside);
  }

  /** Returns the checks that each Redis would accept a bridge with this configuration. */
  static List<Check> agreements(BridgeConfig config) {
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
      BridgeConfig config, RedisStore redis, @Nullable RedisStore standsInFor) {
    return new AgreementCheck(
        redis,
        standsInFor,
        config.name(),
        config.streamOrder(),
        config.dedup().window(),
        config.dedup().identity());
  }
}
