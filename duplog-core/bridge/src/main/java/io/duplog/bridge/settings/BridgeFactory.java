package io.duplog.bridge.settings;

import io.duplog.amqp.BrokerLogin;
import io.duplog.config.Secret;
import io.duplog.dedup.Ledger;
import io.duplog.dedup.memory.MemoryLedger;
import io.duplog.dedup.redis.GuardedLedger;
import io.duplog.dedup.redis.RedisLedger;
import io.duplog.dedup.redis.RedisSettings;
import io.duplog.pipeline.Ledgers;
import io.duplog.pipeline.PipelineSettings;
import io.duplog.receive.AcknowledgePolicy;
import io.duplog.receive.QueueSettings;
import io.duplog.receive.QueueShare;
import io.duplog.tls.CertificateFile;
import io.duplog.tls.ServerTlsConfig;
import io.duplog.tls.Tls;
import io.duplog.tls.TlsConfig;
import io.duplog.wire.StreamBroker;
import io.duplog.wire.Topology;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Creates other packages' settings and objects from the bridge's configuration. */
public final class BridgeFactory {
  /**
   * Longest absence of a ledger before dropped copies are released. Shorter than a stall that would
   * show, and longer than Redis's usual pauses.
   */
  private static final Duration RELEASE_AFTER = Duration.ofSeconds(1);

  private BridgeFactory() {}

  /** Returns the streams' names in alphabetical order, in which all bridges number them. */
  public static List<String> streamOrder(BridgeConfig config) {
    return config.streams().stream().map(StreamConfig::name).sorted().toList();
  }

  /**
   * Returns, by key, the settings that have to be the same on all bridges and that Redis does not
   * enforce. Of the spare Redis they say only whether there is one, because bridges may reach one
   * server by different names.
   */
  public static Map<String, String> sharedByAll(BridgeConfig config) {
    List<String> bridges = config.receive().bridges();
    return Map.of(
        "receive.bridges", bridges.isEmpty() ? "not set" : String.join(",", bridges),
        "coverage.senders", String.valueOf(config.coverage().senders()),
        "dedup.spare", config.dedup().spare() == null ? "not set" : "set");
  }

  public static List<QueueSettings> queues(BridgeConfig config) {
    List<QueueSettings> queues = new ArrayList<>();
    BridgeConfig.Receive receive = config.receive();
    QueuePriority priorities = QueuePriority.of(config);
    for (StreamConfig stream : config.streams()) {
      BrokerLogin login =
          stream.login("broker " + stream.name(), receive.connectTimeout(), receive.heartbeat());
      List<String> names = stream.queueNames();
      for (int i = 0; i < names.size(); i++) {
        queues.add(
            new QueueSettings(
                stream.name(),
                login,
                names.get(i),
                stream.queueType(),
                new QueueShare(
                    stream.queueCount(), i % stream.queueCount(), priorities.priority(i)),
                Math.max(1, receive.prefetch() / stream.queueCount()),
                receive.retryMin(),
                receive.retryMax()));
      }
    }
    return queues;
  }

  /** Returns the first queue of each stream; its broker stores the stream's dead letters. */
  public static List<QueueSettings> firstQueues(BridgeConfig config) {
    Set<String> streams = new HashSet<>();
    return queues(config).stream().filter(queue -> streams.add(queue.stream())).toList();
  }

  /** Returns how many {@linkplain StreamBroker#place places} a bridge reads. */
  public static int places(BridgeConfig config) {
    return (int)
        queues(config).stream()
            .map(each -> List.of(each.stream(), Topology.firstQueue(each.queue())))
            .distinct()
            .count();
  }

  public static PipelineSettings pipeline(BridgeConfig config) {
    return new PipelineSettings(
        config.dedup().lease(),
        config.settle().holdLimit(),
        RELEASE_AFTER,
        config.dedup().mode() == DedupConfig.Mode.OBSERVE,
        config.receive().workers());
  }

  public static AcknowledgePolicy acknowledgePolicy(BridgeConfig config) {
    BridgeConfig.Settle settle = config.settle();
    return switch (settle.acknowledge()) {
      case EACH -> AcknowledgePolicy.EACH;
      case COUNT ->
          new AcknowledgePolicy(
              Math.min(settle.acknowledgeCount(), leastPrefetch(config)),
              settle.acknowledgeInterval());
      case INTERVAL -> AcknowledgePolicy.every(settle.acknowledgeInterval());
    };
  }

  /** Creates the ledgers and their fallbacks, without connecting to Redis. */
  public static Ledgers ledger(BridgeConfig config) {
    DedupConfig dedup = config.dedup();
    return switch (dedup.store()) {
      case MEMORY ->
          new Ledgers(List.of(memoryLedger(config, dedup.memory().maxDigests())), List.of());
      case REDIS -> {
        List<RedisLedger> parts = redisLedgers(config, redisSettings(config));
        yield new Ledgers(
            parts.stream()
                .<Ledger>map(part -> guarded(part, part.name(), meanwhile(dedup)))
                .toList(),
            fallbacks(config, parts));
      }
    };
  }

  /** Wraps a ledger in a circuit breaker that tries Redis again at once after a failover. */
  private static GuardedLedger guarded(RedisLedger redis, String name, String meanwhile) {
    GuardedLedger guarded = new GuardedLedger(redis, redis, name, meanwhile, System::nanoTime);
    redis.onMove(guarded::askNow);
    return guarded;
  }

  private static List<Ledgers.Fallback> fallbacks(BridgeConfig config, List<RedisLedger> parts) {
    DedupConfig dedup = config.dedup();
    List<Ledgers.Fallback> fallbacks = new ArrayList<>();
    RedisSettings spare = spareSettings(config);
    if (spare != null) {
      RedisLedger redis = redisLedgers(config, spare).get(0);
      redis.standInFor(parts);
      fallbacks.add(
          new Ledgers.Fallback(
              "spare",
              spare.address(),
              guarded(
                  redis,
                  "spare Redis " + spare.address(),
                  "while dedup.redis is away too, " + lastResort(dedup))));
    }
    if (dedup.whenUnavailable() == DedupConfig.WhenUnavailable.LOCAL) {
      fallbacks.add(
          new Ledgers.Fallback(
              "local", "in this process", memoryLedger(config, dedup.localLimit())));
    }
    return fallbacks;
  }

  /** Returns a phrase for log lines on what happens to messages while Redis is unavailable. */
  public static String meanwhile(DedupConfig dedup) {
    boolean local = dedup.whenUnavailable() == DedupConfig.WhenUnavailable.LOCAL;
    if (dedup.spare() == null && !local) {
      return lastResort(dedup);
    }
    return "what is under way passes through, then "
        + (dedup.spare() == null ? "" : "the spare Redis is asked, and while that is away too, ")
        + lastResort(dedup);
  }

  private static String lastResort(DedupConfig dedup) {
    return switch (dedup.whenUnavailable()) {
      case PASS_THROUGH -> "messages pass through undeduplicated, up to twice the volume";
      case LOCAL -> "this bridge deduplicates by its own memory";
    };
  }

  private static int leastPrefetch(BridgeConfig config) {
    int most = config.streams().stream().mapToInt(StreamConfig::queueCount).max().orElse(1);
    return Math.max(1, config.receive().prefetch() / most);
  }

  /** Its clock shows the time of day, which senders go by, and never steps. */
  private static MemoryLedger memoryLedger(BridgeConfig config, int maxDigests) {
    long ahead = System.currentTimeMillis() * 1_000_000 - System.nanoTime();
    return MemoryLedger.ofOneBridge(
        config.name(),
        streamOrder(config),
        config.dedup().window(),
        config.dedup().lease(),
        maxDigests,
        () -> ahead + System.nanoTime());
  }

  /** Creates a Redis ledger for each part; only one unless Redis is a cluster. */
  public static List<RedisLedger> redisLedgers(BridgeConfig config, RedisSettings settings) {
    DedupConfig dedup = config.dedup();
    return RedisLedger.ofParts(
        settings,
        RedisLedger.processOf(config.name()),
        streamOrder(config),
        dedup.window(),
        dedup.identity(),
        dedup.lease());
  }

  public static RedisSettings redisSettings(BridgeConfig config) {
    return redisSettings(config, config.dedup().redis());
  }

  /** Returns the settings of the spare Redis; null if there is none. */
  public static @Nullable RedisSettings spareSettings(BridgeConfig config) {
    RedisConfig spare = config.dedup().spare();
    return spare == null ? null : redisSettings(config, spare);
  }

  private static RedisSettings redisSettings(BridgeConfig config, RedisConfig redis) {
    @Nullable Secret password = redis.password();
    @Nullable SentinelConfig sentinel = redis.sentinel();
    @Nullable ClusterConfig cluster = redis.cluster();
    RedisSettings.Place place = new RedisSettings.Server(redis.host(), redis.port());
    String hop = place.toString();
    if (sentinel != null) {
      place = sentinel.settings();
      hop = sentinel.master();
    } else if (cluster != null) {
      place = cluster.settings(config.streams().get(0).queueCount());
      hop = "cluster";
    }
    return new RedisSettings(
        place,
        new RedisSettings.Login(
            redis.user(),
            password == null ? null : password.reveal(),
            redis.tls() == null ? null : Tls.ofClient("Redis " + hop, redis.tls())),
        redis.database(),
        redis.prefix(),
        redis.timeout(),
        config.receive().workers() + 3);
  }

  /** Returns all certificate files that a configuration names, without duplicates. */
  public static Set<CertificateFile> certificateFiles(BridgeConfig config) {
    Set<CertificateFile> files = new LinkedHashSet<>();
    config.streams().forEach(stream -> add(files, stream.tls()));
    Stream.of(config.dedup().redis(), config.dedup().spare())
        .filter(Objects::nonNull)
        .forEach(
            redis -> {
              add(files, redis.tls());
              add(files, redis.sentinel() == null ? null : redis.sentinel().tls());
            });
    files.addAll(config.sink().certificateFiles());
    ServerTlsConfig page = config.status().tls();
    add(files, page == null ? null : page.files());
    return files;
  }

  private static void add(Set<CertificateFile> files, @Nullable TlsConfig section) {
    if (section != null) {
      files.addAll(section.certificateFiles());
    }
  }
}
