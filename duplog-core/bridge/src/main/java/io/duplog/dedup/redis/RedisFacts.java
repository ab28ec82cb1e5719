package io.duplog.dedup.redis;

import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import redis.clients.jedis.UnifiedJedis;

/**
 * What a Redis server says about itself.
 *
 * @param role the word of Redis, {@code master} for a server that is no replica
 * @param memory limit and use of its memory
 * @param appendOnly whether the server keeps an append-only file
 * @param save when the server writes snapshots; empty for never, null if it does not tell
 * @param ahead how far the server's clock is ahead of this host's clock
 * @param typical median of the round trips
 * @param slowest longest of the round trips
 */
public record RedisFacts(
    String version,
    String role,
    Memory memory,
    boolean appendOnly,
    @Nullable String save,
    Duration ahead,
    Duration typical,
    Duration slowest) {

  /** Warning for an operator if {@link Memory#mayEvictAnything} is true. */
  public static final String EVICTS_ANYTHING =
      "Redis may evict what has no TTL, such as the pending batches: the settle rule has no ground"
          + " to stand on, and messages can be lost";

  /** What it means for an operator that Redis has forgotten digests too soon. */
  public static final String FORGOTTEN =
      "Messages whose digests are forgotten come twice; none is lost, and no node is at fault."
          + " Coverage does not compare them";

  /**
   * Limit and use of a server's memory.
   *
   * @param policy the setting {@code maxmemory-policy}
   * @param most limit in bytes; 0 for no limit
   * @param used bytes in use
   * @param evictedKeys number of keys that were evicted since the server started
   */
  public record Memory(String policy, long most, long used, long evictedKeys) {
    public boolean mayEvictAnything() {
      return policy.startsWith("allkeys-");
    }

    /** Returns why digests are gone before their window has ended. */
    public String causeOfForgetting() {
      return evictedKeys > 0
          ? "Redis evicted digests before their window ended: its maxmemory, %d MiB, is too small"
              .formatted(most >> 20)
          : "digests vanished from Redis before their window ended, and Redis evicted nothing:"
              + " another client deleted them";
    }

    /** Returns what an operator should do about the {@link #causeOfForgetting}. */
    public String remedyOfForgetting() {
      return evictedKeys > 0
          ? "a larger maxmemory, or a shorter dedup.window"
          : "no other program under Duplog's prefix, and no DEL or UNLINK by hand";
    }
  }

  static Memory memory(Map<String, String> info) {
    return new Memory(
        info.getOrDefault("maxmemory_policy", "?"),
        number(info, "maxmemory"),
        number(info, "used_memory"),
        number(info, "evicted_keys"));
  }

  /**
   * Asks a server for the id that it gave itself when it started. Two connections lead to the same
   * server if both return the same id, whatever names were used.
   *
   * @return null if the server does not tell
   */
  static @Nullable String runId(UnifiedJedis redis) {
    String id = fields(redis.info("server")).getOrDefault("run_id", "");
    return id.isBlank() ? null : id;
  }

  static long number(Map<String, String> info, String name) {
    String value = info.getOrDefault(name, "0");
    return value.matches("\\d{1,18}") ? Long.parseLong(value) : 0;
  }

  /** Parses {@code name:value} lines, such as Redis' answer to {@code INFO}. */
  static Map<String, String> fields(String info) {
    Map<String, String> fields = new HashMap<>();
    info.lines()
        .forEach(
            line -> {
              int colon = line.indexOf(':');
              if (colon > 0) {
                fields.put(line.substring(0, colon), line.substring(colon + 1));
              }
            });
    return fields;
  }
}
