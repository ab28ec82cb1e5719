package io.duplog.dedup.redis;

import static io.duplog.dedup.redis.RedisFacts.number;
import static java.nio.charset.StandardCharsets.UTF_8;

import io.duplog.dedup.Board;
import io.duplog.dedup.LedgerUnavailableException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import redis.clients.jedis.CommandArguments;
import redis.clients.jedis.Protocol;
import redis.clients.jedis.UnifiedJedis;
import redis.clients.jedis.exceptions.JedisAccessControlException;
import redis.clients.jedis.exceptions.JedisDataException;
import redis.clients.jedis.exceptions.JedisException;
import redis.clients.jedis.params.SetParams;
import redis.clients.jedis.util.KeyValue;

/** Looks at the ledger's Redis without changing anything that counts. For one thread. */
public final class RedisInspection implements AutoCloseable {
  /** What one remembered digest of two streams takes; measured, Redis 7.0. */
  public static final int DIGEST_BYTES = 92;

  /**
   * A hash is there for this many windows from its first digest at most; bridges free it after one
   * and a half.
   */
  public static final int KEPT_WINDOWS = 2;

  private static final int PINGS = 21;
  private static final int PROBE_MILLIS = 1000;

  /** Of a replication id, which stands before an epoch's token. */
  private static final int REPLICATION_ID_LENGTH = 40;

  /** How far the bridges are with a batch. */
  public enum Batch {
    /** Not judged, or forgotten. */
    UNKNOWN,
    /** Judged; its kept copies are on their way to the sink. */
    PENDING,
    /** The sink has accepted its kept copies, or there were none. */
    DELIVERED
  }

  private final RedisSettings settings;

  private final List<RedisPart> parts;

  /** The first one, which is all but in a cluster. */
  private final RedisPart part;

  public RedisInspection(RedisSettings settings) {
    this.settings = settings;
    this.parts = RedisPart.all(settings);
    this.part = parts.get(0);
  }

  /** For findings; holds no secret. */
  public String address() {
    return settings.address();
  }

  /**
   * Asks.
   *
   * @throws LedgerUnavailableException whose message is one line for an operator
   */
  public RedisFacts facts() throws LedgerUnavailableException {
    return part.servers().ask(RedisInspection::look);
  }

  /**
   * What a cluster says of itself; null where Redis is none.
   *
   * @throws LedgerUnavailableException whose message is one line for an operator
   */
  public @Nullable RedisClusterFacts cluster() throws LedgerUnavailableException {
    return settings.place() instanceof RedisClusterSettings cluster
        ? new RedisClusterInspection(settings, cluster).look()
        : null;
  }

  static RedisFacts look(UnifiedJedis redis) {
    long[] nanos = new long[PINGS];
    redis.ping(); // connects
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

  /** What each sentinel says of the master; nothing where there are none. */
  public List<RedisSentinelFacts> sentinels() {
    if (!(settings.place() instanceof RedisSentinelSettings place)) {
      return List.of();
    }
    return RedisLocator.sentinels(place, settings.timeout()).stream()
        .map(each -> sentinel(each, place.master()))
        .toList();
  }

  private static RedisSentinelFacts sentinel(RedisLocator sentinel, String master) {
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
      return RedisSentinelFacts.silent(sentinel.toString(), sentinel.cause(e));
    }
  }

  /**
   * How far the bridges are with a batch of the last half window; of several parts, one of the
   * first part's queues. The scripts' prologue says what the keys are.
   *
   * @param window as the bridges have it
   * @throws LedgerUnavailableException whose message is one line for an operator
   */
  public Batch batch(String id, Duration window) throws LedgerUnavailableException {
    return part.servers().ask(redis -> batch(redis, id, window));
  }

  /**
   * What of that which bridges do this user may not do, in a few words; null where it may do it
   * all. Tried on a key that is gone again.
   *
   * @throws LedgerUnavailableException whose message is one line for an operator
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
   * What bridges agree on; of several parts, in the first one.
   *
   * @throws LedgerUnavailableException whose message is one line for an operator
   */
  public RedisAgreement agreement() throws LedgerUnavailableException {
    return part.servers().ask(this::agreement);
  }

  private RedisAgreement agreement(UnifiedJedis redis) {
    long now = time(redis).toEpochMilli();
    List<Board.Note> notes = new ArrayList<>();
    redis
        .hgetAll(part.key("board"))
        .forEach(
            (subject, seen) -> {
              int space = seen.indexOf(' ');
              if (space > 0 && seen.substring(0, space).matches("\\d{1,18}")) {
                long age = now - Long.parseLong(seen.substring(0, space));
                notes.add(new Board.Note(subject, seen.substring(space + 1), Math.max(0, age)));
              }
            });
    return new RedisAgreement(
        redis.get(part.key("streams")),
        redis.zrangeWithScores(part.key("leases"), 0, -1).stream()
            .filter(lease -> lease.getScore() > now)
            .map(lease -> RedisLedger.nameOf(lease.getElement()))
            .sorted()
            .toList(),
        notes);
  }

  private Batch batch(UnifiedJedis redis, String id, Duration window) {
    String epoch = redis.get(part.key("lineage"));
    if (epoch == null || epoch.length() < REPLICATION_ID_LENGTH) {
      return Batch.UNKNOWN;
    }
    // Delivered ones share a hash for each half of a window; this one may just have begun.
    long half = time(redis).toEpochMilli() * 2 / window.toMillis();
    String delivered = part.key("b") + epoch.substring(REPLICATION_ID_LENGTH);
    if (redis.hexists(delivered + half, id) || redis.hexists(delivered + (half - 1), id)) {
      return Batch.DELIVERED;
    }
    return redis.hexists(part.key("open"), id) ? Batch.PENDING : Batch.UNKNOWN;
  }

  /** Hosted ones keep their configuration to themselves. */
  private static @Nullable String save(UnifiedJedis redis) {
    try {
      Object answer =
          redis.executeCommand(
              new CommandArguments(Protocol.Command.CONFIG).add("GET").add("save"));
      if (!(answer instanceof List<?> list) || list.isEmpty()) {
        return null;
      }
      // A map by protocol 3, a list of names and values by protocol 2.
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
