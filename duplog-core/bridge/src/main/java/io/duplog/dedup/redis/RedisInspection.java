package io.duplog.dedup.redis;

import static io.duplog.dedup.redis.RedisFacts.number;
import static java.nio.charset.StandardCharsets.UTF_8;

import io.duplog.dedup.BridgeNotes;
import io.duplog.dedup.BrokerAgreement;
import io.duplog.dedup.LedgerUnavailableException;
import io.duplog.wire.StreamBroker;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import redis.clients.jedis.CommandArguments;
import redis.clients.jedis.Protocol;
import redis.clients.jedis.UnifiedJedis;
import redis.clients.jedis.exceptions.JedisAccessControlException;
import redis.clients.jedis.exceptions.JedisDataException;
import redis.clients.jedis.exceptions.JedisException;
import redis.clients.jedis.params.SetParams;
import redis.clients.jedis.resps.Tuple;
import redis.clients.jedis.util.KeyValue;

/**
 * Reads the state of the ledger's Redis for the doctor, without changing the ledger. Not
 * thread-safe.
 */
public final class RedisInspection implements AutoCloseable {
  /** Memory of one digest with two streams in Redis, in bytes, as measured with Redis 7.0. */
  public static final int DIGEST_BYTES = 92;

  /**
   * Longest lifetime of a hash of digests, in windows, counted from its first digest. Bridges
   * delete it after 1.5 windows.
   */
  public static final int KEPT_WINDOWS = 2;

  private static final int PINGS = 21;
  private static final int PROBE_MILLIS = 1000;

  /** Length of the Redis replication id with which the value of the key {@code lineage} begins. */
  private static final int REPLICATION_ID_LENGTH = 40;

  /** State of a batch in the ledger. */
  public enum Batch {
    /** The batch was not judged, or the ledger's record of the batch has expired. */
    UNKNOWN,
    /** The batch was judged, but its kept copies are not yet delivered to the sink. */
    PENDING,
    /** The sink has accepted the batch's kept copies, or the batch had no kept copies. */
    DELIVERED
  }

  private final RedisStore store;

  private final List<RedisPart> parts;

  /** First part of the ledger, which is the only part outside a cluster. */
  private final RedisPart part;

  public RedisInspection(RedisStore store) {
    this.store = store;
    this.parts = RedisPart.all(store);
    this.part = parts.get(0);
  }

  /**
   * Queries the facts of Redis. In a cluster, queries only the server of the first part.
   *
   * @throws LedgerUnavailableException with a message of one line for an operator
   */
  public RedisFacts facts() throws LedgerUnavailableException {
    return part.servers().ask(RedisInspection::look);
  }

  /**
   * Whether the two ledgers have a server in common, whatever its names are.
   *
   * @throws LedgerUnavailableException with a message of one line for an operator
   */
  public boolean sharesServer(RedisInspection other) throws LedgerUnavailableException {
    Set<String> own = runIds();
    own.retainAll(other.runIds());
    return !own.isEmpty();
  }

  private Set<String> runIds() throws LedgerUnavailableException {
    Set<String> ids = new HashSet<>();
    for (RedisPart each : parts) {
      String id = each.servers().ask(RedisFacts::runId);
      if (id != null) {
        ids.add(id);
      }
    }
    return ids;
  }

  /**
   * Returns the memory settings of a Redis that has forgotten digests too soon.
   *
   * @return null if no part has forgotten digests that it should remember now
   * @throws LedgerUnavailableException with a message of one line for an operator
   */
  public RedisFacts.@Nullable Memory forgetting() throws LedgerUnavailableException {
    for (RedisPart each : parts) {
      if (each.servers().ask(redis -> forgets(redis, each))) {
        return each.servers().ask(redis -> RedisFacts.memory(RedisFacts.fields(redis.info())));
      }
    }
    return null;
  }

  /** Whether a part has forgotten digests, or delivered batches, that it should remember now. */
  static boolean forgets(UnifiedJedis redis, RedisPart part) {
    return time(redis).toEpochMilli() < RedisTallies.forgotten(redis, part).untilMillis();
  }

  /**
   * Queries the facts of a cluster.
   *
   * @return null if Redis is not a cluster
   * @throws LedgerUnavailableException with a message of one line for an operator
   */
  public @Nullable RedisClusterFacts cluster() throws LedgerUnavailableException {
    RedisConfig.Cluster cluster = store.config().cluster();
    return cluster == null ? null : new RedisClusterInspection(store, cluster).inspect();
  }

  static RedisFacts look(UnifiedJedis redis) {
    long[] nanos = new long[PINGS];
    redis.ping(); // opens the connection, so that the measured pings don't
    for (int i = 0; i < PINGS; i++) {
      long since = System.nanoTime();
      redis.ping();
      nanos[i] = System.nanoTime() - since;
    }
    Arrays.sort(nanos);
    Map<String, String> info = RedisFacts.fields(redis.info());
    return new RedisFacts(
        info.getOrDefault("redis_version", "?"),
        info.getOrDefault("role", "?"),
        RedisFacts.memory(info),
        number(info, "aof_enabled") == 1,
        save(redis),
        ahead(redis),
        Duration.ofNanos(nanos[PINGS / 2]),
        Duration.ofNanos(nanos[PINGS - 1]));
  }

  /** Returns each sentinel's report about the master, or empty if no sentinels are configured. */
  public List<RedisSentinelFacts> sentinels() {
    RedisConfig.Sentinel config = store.config().sentinel();
    if (config == null) {
      return List.of();
    }
    RedisServer.Login login = config.login(store.config().timeout());
    return RedisGuide.configured(store.config()).stream()
        .map(each -> sentinel(new RedisGuide(each, store.config(), login), config.master()))
        .toList();
  }

  private static RedisSentinelFacts sentinel(RedisGuide sentinel, String master) {
    try (sentinel) {
      Map<String, String> facts = sentinel.open().sentinelMaster(master);
      return new RedisSentinelFacts(
          sentinel.toString(),
          null,
          facts.getOrDefault("ip", "?") + ":" + facts.getOrDefault("port", "?"),
          facts.getOrDefault("flags", "").contains("_down"),
          number(facts, "num-slaves"),
          number(facts, "num-other-sentinels"),
          number(facts, "quorum"));
    } catch (JedisException e) {
      return new RedisSentinelFacts(sentinel.toString(), sentinel.cause(e), "", false, 0, 0, 0);
    }
  }

  /**
   * Returns the state of a batch of the last half window. In a cluster, the batch must have come
   * from a queue of the first part.
   *
   * @param window the window that the bridges are configured with
   * @throws LedgerUnavailableException with a message of one line for an operator
   */
  public Batch batch(String id, Duration window) throws LedgerUnavailableException {
    return part.servers().ask(redis -> batch(redis, id, window));
  }

  /**
   * Checks whether every part accepts a write. The key that is written expires after a second.
   *
   * @throws LedgerUnavailableException with a message of one line for an operator
   */
  public void probe() throws LedgerUnavailableException {
    SetParams briefly = SetParams.setParams().px(PROBE_MILLIS);
    for (RedisPart each : parts) {
      each.servers().ask(redis -> redis.set(each.key("probe:write"), "writable", briefly));
    }
  }

  /**
   * Checks whether this user may run all commands that bridges need. Uses a temporary key.
   *
   * @return the denied commands in a few words, or null if nothing is denied
   * @throws LedgerUnavailableException with a message of one line for an operator
   */
  public @Nullable String refusal() throws LedgerUnavailableException {
    for (RedisPart each : parts) {
      String refusal = each.servers().ask(redis -> refusal(redis, each.key("probe:permissions")));
      if (refusal != null) {
        return refusal;
      }
    }
    return null;
  }

  private static @Nullable String refusal(UnifiedJedis redis, String key) {
    RedisScript probe = RedisScript.alone("probe");
    try {
      redis.set(key, "", SetParams.setParams().px(PROBE_MILLIS));
      redis.del(key);
      probe.introduce(redis, key);
      List<String> failed = RedisAnswer.texts(probe.run(redis, key, List.of()).elements());
      return failed.isEmpty() ? null : "in scripts: " + String.join(", ", failed);
    } catch (JedisAccessControlException e) {
      return e.getMessage();
    }
  }

  /**
   * Reads the bridges' agreement. In a cluster, reads it from the first part.
   *
   * @throws LedgerUnavailableException with a message of one line for an operator
   */
  public RedisAgreement agreement() throws LedgerUnavailableException {
    return part.servers().ask(this::agreement);
  }

  private RedisAgreement agreement(UnifiedJedis redis) {
    long now = time(redis).toEpochMilli();
    List<BridgeNotes.Note> notes = new ArrayList<>();
    redis
        .hgetAll(part.key("board"))
        .forEach(
            (subject, seen) -> {
              int space = seen.indexOf(' ');
              if (space > 0 && seen.substring(0, space).matches("\\d{1,18}")) {
                long age = now - Long.parseLong(seen.substring(0, space));
                notes.add(
                    new BridgeNotes.Note(subject, seen.substring(space + 1), Math.max(0, age)));
              }
            });
    List<String> living =
        redis.zrangeWithScores(part.key("leases"), 0, -1).stream()
            .filter(lease -> lease.getScore() > now)
            .map(Tuple::getElement)
            .sorted()
            .toList();
    return new RedisAgreement(
        redis.get(part.key("streams")),
        living.stream().map(RedisLedger::nameOf).toList(),
        notes,
        brokers(redis, living));
  }

  private BrokerAgreement brokers(UnifiedJedis redis, List<String> living) {
    BrokerAgreement brokers = new BrokerAgreement();
    redis
        .hgetAll(part.key("sources"))
        .forEach(
            (field, text) -> {
              if (field.startsWith(" ")) {
                brokers.agreeOn(field.substring(1), StreamBroker.decoded(text));
              } else if (living.contains(field)) {
                brokers.take(field, StreamBroker.parse(text));
              }
            });
    return brokers;
  }

  private Batch batch(UnifiedJedis redis, String id, Duration window) {
    String epoch = redis.get(part.key("lineage"));
    if (epoch == null || epoch.length() < REPLICATION_ID_LENGTH) {
      return Batch.UNKNOWN;
    }
    // Delivered batches share a hash for each half of a window, and the current half may just have
    // begun.
    long half = time(redis).toEpochMilli() * 2 / window.toMillis();
    String delivered = part.key("b") + epoch.substring(REPLICATION_ID_LENGTH);
    if (redis.hexists(delivered + half, id) || redis.hexists(delivered + (half - 1), id)) {
      return Batch.DELIVERED;
    }
    return redis.hexists(part.key("open"), id) ? Batch.PENDING : Batch.UNKNOWN;
  }

  /**
   * Returns the Redis setting {@code save}, or null if the server hides it, as hosted servers do.
   */
  private static @Nullable String save(UnifiedJedis redis) {
    try {
      Object answer =
          redis.executeCommand(
              new CommandArguments(Protocol.Command.CONFIG).add("GET").add("save"));
      if (!(answer instanceof List<?> list) || list.isEmpty()) {
        return null;
      }
      // Protocol 3 answers with a map, protocol 2 with a list of names and values.
      return list.get(0) instanceof KeyValue<?, ?> entry
          ? text(entry.getValue())
          : text(list.get(list.size() - 1));
    } catch (JedisDataException e) {
      return null;
    }
  }

  private static Duration ahead(UnifiedJedis redis) {
    Instant before = Instant.now();
    Instant theirs = time(redis);
    Instant after = Instant.now();
    return Duration.between(before.plus(Duration.between(before, after).dividedBy(2)), theirs);
  }

  private static Instant time(UnifiedJedis redis) {
    List<?> time = (List<?>) redis.executeCommand(new CommandArguments(Protocol.Command.TIME));
    return Instant.ofEpochSecond(
        Long.parseLong(text(time.get(0))), 1_000 * Long.parseLong(text(time.get(1))));
  }

  private static String text(Object answer) {
    return answer instanceof byte[] bytes ? new String(bytes, UTF_8) : String.valueOf(answer);
  }

  @Override
  public void close() {
    parts.forEach(RedisPart::close);
  }
}
